import { newId } from '../../../shared/ids.ts';
import { JobTask } from '../../../shared/jobs/job.ts';
import { jobIdFields } from '../../../shared/jobs/new-job.ts';
import { queueOfJob } from '../../../shared/queue/messages.ts';

const ids = {
  eventId: newId('event'),
  orderId: newId('order'),
  mailId: newId('mail'),
  productId: newId('product'),
  fileId: newId('file'),
  batchId: newId('batch'),
  sellerId: newId('seller'),
  licenseId: newId('license'),
  endpointId: newId('endpoint'),
  noticeId: newId('audit'),
  tokenId: newId('token'),
};

/** A task of each kind, about nothing that is there. */
export const sampleTasks = Object.keys(jobIdFields).map((kind) => JobTask.parse({ kind, ...ids }));

/** One of each queue. */
export const taskOfQueue = [...new Map(sampleTasks.map((task) => [queueOfJob[task.kind], task])).values()];
