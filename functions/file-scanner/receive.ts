import type { Needs } from '../../shared/context.ts';
import type { createWorker } from '../../shared/queue/create-worker.ts';
import { receiveReports } from '../../shared/queue/receive-reports.ts';
import { ScanResultEvent } from './guardduty.ts';

/** The scan queue carries jobs and a scanner's reports, which name their source. */
export const receive = (
  c: Needs<'logger'>,
  work: ReturnType<typeof createWorker>,
  /** Absent where no such scanner is configured. */
  receiveResult: ((event: ScanResultEvent) => Promise<void>) | undefined,
) =>
  receiveReports(
    c,
    'source',
    async (report) => {
      if (!receiveResult) throw new Error('No scanner reports by itself here.');
      await receiveResult(ScanResultEvent.parse(report));
    },
    work,
  );
