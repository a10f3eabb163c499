import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { List } from '../api/reads.ts';
import { texts } from './parts-texts.ts';

/** A column: its heading, and what it shows of a row. */
export interface Column<Row> {
  name: string;
  of: (row: Row) => ComponentChildren;
  /** Numbers stand one under another. */
  number?: boolean;
}

/** Rows, told apart by their ids; the first column is what a row is called. Where it is too wide it scrolls by itself. */
export function DataTable<Row extends { id: string }>({
  label,
  rows,
  columns: [first, ...columns],
  attributesOf,
}: {
  label: string;
  rows: readonly Row[];
  columns: readonly [Column<Row>, ...Column<Row>[]];
  /** What scripts find a row by besides its id. */
  attributesOf?: (row: Row) => Readonly<Record<`data-${string}`, string | undefined>>;
}) {
  const id = useId();
  return (
    // What scrolls must be reached by keyboard.
    <section class="scroll" tabIndex={0} aria-labelledby={id}>
      <table>
        <caption id={id} class="visually-hidden">
          {label}
        </caption>
        <thead>
          <tr>
            {[first, ...columns].map(({ name, number }) => (
              <th key={name} scope="col" class={number ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-id={row.id} {...attributesOf?.(row)}>
              <th scope="row">{first.of(row)}</th>
              {columns.map(({ name, of, number }) => (
                <td key={name} class={number ? 'number' : undefined}>
                  {of(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Reads on in a list, while there is more of it. */
export function More({ of: { more, loadingMore } }: { of: Pick<List<unknown>, 'more' | 'loadingMore'> }) {
  if (more === undefined) return null;
  return (
    <p>
      <button type="button" class="button quiet" aria-disabled={loadingMore || undefined} onClick={() => !loadingMore && more()}>
        {texts.more}
      </button>
    </p>
  );
}
