import type { CodeBatch } from '../../../../../build/client.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { State } from '../../parts/state.tsx';
import { When } from '../../parts/when.tsx';
import { rowReason } from '../../words/faults.ts';
import { formatCount } from '../../words/formats.ts';
import { isRunning, progressOf } from './batch-state.ts';
import { say } from './codes-texts.ts';

/** Imports: how far each is, and which rows were left out, and why. */
export function BatchTable({ batches }: { batches: readonly CodeBatch[] }) {
  return (
    <DataTable
      label={say.batches}
      rows={batches}
      idOf={({ id }) => id}
      columns={[
        { name: say.when, of: (batch) => <Made batch={batch} /> },
        { name: say.state, of: (batch) => <Progress batch={batch} /> },
        { name: say.rows, number: true, of: ({ total_rows }) => formatCount(total_rows) },
        { name: say.imported, number: true, of: ({ imported_count }) => formatCount(imported_count) },
        { name: say.duplicates, number: true, of: ({ duplicate_count }) => formatCount(duplicate_count) },
        { name: say.rejected, number: true, of: ({ rejected_count }) => formatCount(rejected_count) },
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
          <summary>{say.why(rejected_count)}</summary>
          <ul class="plain">
            {errors.map(({ row, line, reason }) => (
              <li key={row}>
                {say.row(row, line)}: {rowReason(reason)}
              </li>
            ))}
          </ul>
          {rejected_count > errors.length && <p>{say.firstErrors(errors.length)}</p>}
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
      {isRunning(batch) && <progress class="second" max={Math.max(all, 1)} value={done} aria-label={say.imported} />}
      {batch.status === 'failed' && <small class="second">{say.failed}</small>}
    </>
  );
}
