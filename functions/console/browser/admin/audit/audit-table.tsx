import type { ItemOf } from '../../api/reads.ts';
import { DataTable } from '../../components/data-table.tsx';
import { When } from '../../components/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { historyWord, type WordKind, wordOf } from '../../words/words.ts';
import { texts } from './audit-texts.ts';
import { changesOf } from './changes.ts';
import { IdLink } from './id-link.tsx';
import { auditPathOf, pathOfTarget } from './targets.ts';

export type AuditRecord = ItemOf<'listAudit'>;

/** Audit records as a table. */
export function AuditTable({
  label,
  records,
  ofOne = false,
}: {
  label: string;
  records: readonly AuditRecord[];
  /** Whether all are about what the screen is about. */
  ofOne?: boolean;
}) {
  const target = { name: texts.target, of: ({ target_id }: AuditRecord) => <Target id={target_id} /> };
  return (
    <DataTable
      label={label}
      rows={records}
      columns={[
        { name: texts.action, of: ({ action }) => wordOf('action', action) },
        { name: texts.at, of: ({ at }) => <When at={at} /> },
        { name: texts.actor, of: ({ actor }) => <SellerText text={actorWords(actor)} /> },
        ...(ofOne ? [] : [target]),
        { name: texts.changes, of: (record) => <Changes record={record} /> },
        { name: texts.note, of: ({ note }) => note && <SellerText text={note} multiline /> },
      ]}
    />
  );
}

function Target({ id }: { id: string }) {
  const place = pathOfTarget(id);
  return (
    <>
      <IdLink href={auditPathOf(id)} id={id} />
      {place && (
        <>
          {' '}
          <a class="small" href={place} aria-label={`${texts.open}: ${id}`}>
            {texts.open}
          </a>
        </>
      )}
    </>
  );
}

const Changes = ({ record }: { record: AuditRecord }) => (
  <ul class="plain">
    {changesOf(record).map(({ name, before, after }) => (
      <li key={name}>
        <code>{name}</code>: {before !== undefined && <SellerText text={valueWords(record.action, before)} />}
        {before !== undefined && after !== undefined && before !== after && <Becomes />}
        {after !== undefined && before !== after && <SellerText text={valueWords(record.action, after)} />}
      </li>
    ))}
  </ul>
);

const Becomes = () => (
  <>
    {' '}
    <span aria-hidden="true">→</span>
    <span class="visually-hidden">{texts.becomes}</span>{' '}
  </>
);

/** What states a record of a noun tells of, and what was decided. */
const kinds: Readonly<Record<string, readonly WordKind[]>> = {
  seller: ['seller', 'onboarding', 'decision'],
  product: ['product', 'decision'],
  product_file: ['file', 'hash', 'scan', 'visibility', 'decision'],
  release: ['release', 'decision'],
};

function valueWords(action: string, value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? texts.yes : texts.no;
  const inNumbers = (number: number) => number.toLocaleString(LANGUAGE);
  if (typeof value === 'number') return inNumbers(value);
  const noun = action.slice(0, action.indexOf('.'));
  return kinds[noun]?.map((kind) => wordOf(kind, value)).find((word) => word !== value) ?? historyWord(action, value, inNumbers);
}

/** A user by id; whoever else acts by a word. */
function actorWords(actor: string): string {
  if (actor.startsWith('token:')) return texts.token(actor.slice('token:'.length));
  const word = wordOf('worker', actor);
  return word === actor ? wordOf('actor', actor) : word;
}
