import { newId } from '../../../shared/ids.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { asAdmin, d, queue } from './setting-effects.ts';

/** That an admin has this job done. */
const redriven = (task: JobTask) =>
  queue(task.kind, async (call) => {
    await d.table.write(addJob({ now: () => new Date() }, task));
    await call('POST', '/v1/admin/jobs/redrive', { headers: asAdmin, body: { job_id: jobId(task) } });
  });

const [productId, fileId, batchId] = [newId('product'), newId('file'), newId('batch')];

/** The queues to which the admin function sends jobs again, besides that of mails. */
export const redriveEffects = {
  WEBHOOK_QUEUE_URL: redriven({ kind: 'serve-waiting-orders', productId }),
  HASH_QUEUE_URL: redriven({ kind: 'hash-file', productId, fileId }),
  SCAN_QUEUE_URL: redriven({ kind: 'scan-file', productId, fileId }),
  IMPORT_QUEUE_URL: redriven({ kind: 'import-codes', productId, batchId }),
  EVENT_QUEUE_URL: redriven({ kind: 'publish-event', eventId: newId('event') }),
  DELIVERY_QUEUE_URL: redriven({ kind: 'deliver-events', sellerId: newId('seller'), endpointId: newId('endpoint') }),
};
