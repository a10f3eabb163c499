import type { CodeBatch } from '../../../../../build/client.ts';
import { DataTable } from '../../components/data-table.tsx';
import { State } from '../../components/state.tsx';
import { When } from '../../components/when.tsx';
import { rowReason } from '../../words/faults.ts';
import { formatCount } from '../../words/formats.ts';
import { isRunning, progressOf } from './batch-state.ts';
import { texts } from './codes-texts.ts';

/** Imports: how far each is, and which rows were left out, and why. */
export function BatchTable({ batches }: { batches: readonly CodeBatch[] }) {
  return (
    <DataTable
      label={texts.batches}
      rows={batches}
      columns={[
        { name: texts.when, of: (batch) => <Made batch={batch} /> },
        { name: texts.state, of: (batch) => <Progress batch={batch} /> },
        { name: texts.rows, number: true, of: ({ total_rows }) => formatCount(total_rows) },
        { name: texts.imported, number: true, of: ({ imported_count }) => formatCount(imported_count) },
        { name: texts.duplicates, number: true, of: ({ duplicate_count }) => formatCount(duplicate_count) },
        { name: texts.rejected, number: true, of: ({ rejected_count }) => formatCount(rejected_count) },
      ]}
    />
  );
}

function Made({ batch: { created_at, errors, rejected_count } }: { batch: CodeBatch }) {
  return (
    <>
      <When at={created_at} />
      {errors.length > 0 && (
        <details class="small">
          <summary>{texts.why(rejected_count)}</summary>
          <ul class="plain">
            {errors.map(({ row, line, reason }) => (
              <li key={row}>
                {texts.row(row, line)}: {rowReason(reason)}
              </li>
            ))}
          </ul>
          {rejected_count > errors.length && <p>{texts.firstErrors(errors.length)}</p>}
        </details>
      )}
    </>
  );
}

function Progress({ batch }: { batch: CodeBatch }) {
  const { done, all } = progressOf(batch);
  return (
    <>
      <State of="batch" value={batch.status} />
      {isRunning(batch) && <progress class="second" max={Math.max(all, 1)} value={done} aria-label={texts.imported} />}
      {batch.status === 'failed' && <small class="second">{texts.failed}</small>}
    </>
  );
}
