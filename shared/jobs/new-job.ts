import { jobKey, pendingKey } from '../db/keys.ts';
import type { Item } from '../db/table.ts';
import { currentRequestId } from '../logging/request-id.ts';

/** The ids of each kind of task, in the order in which a job's id lists them. */
export const jobIdFields = {
  'project-event': ['eventId'],
  'follow-hold': ['orderId'],
  'serve-waiting-orders': ['productId'],
  'issue-license': ['orderId'],
  'settle-redemption': ['orderId'],
  'send-mail': ['orderId', 'mailId'],
  'send-links': ['mailId'],
  'hash-file': ['productId', 'fileId'],
  'scan-file': ['productId', 'fileId'],
  'discard-upload': ['productId', 'fileId'],
  'abort-parts': ['productId', 'fileId'],
  'withdraw-unused-file': ['productId', 'fileId'],
  'import-codes': ['productId', 'batchId'],
  'publish-event': ['eventId'],
  'tell-refusals': ['sellerId', 'licenseId'],
  'deliver-events': ['sellerId', 'endpointId'],
  'send-endpoint-notice': ['sellerId', 'endpointId'],
  'send-review-notice': ['sellerId', 'noticeId'],
  'send-token-notice': ['sellerId', 'tokenId'],
} as const;
type Kind = keyof typeof jobIdFields;
/** A task as far as its job's id tells of it. */
type Task = { [Name in Kind]: { kind: Name } & Record<(typeof jobIdFields)[Name][number], string> }[Kind];

/** The id of the one job of this task: adding the task again adds no second job. */
export function jobId(task: Task): string {
  const ids: Record<string, string> = task;
  return `${task.kind}:${jobIdFields[task.kind].map((name) => ids[name]).join('/')}`;
}

/** How long the queue has to deliver a job before the sweeper sends it again. */
export const graceSeconds = 15;

export const secondsAfter = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000).toISOString();

/** A job as it is added, for the request that causes it: to begin in `delaySeconds`, and due when the queue has had its time to deliver it. */
export function newJob(task: Task, at: Date, { delaySeconds = 0, grace = graceSeconds } = {}): Item {
  const id = jobId(task);
  const dueAt = secondsAfter(at, delaySeconds + grace);
  const requestId = currentRequestId();
  const createdAt = secondsAfter(at, delaySeconds);
  const progress = { id, state: 'waiting', attempts: 0, dueAt, createdAt, ...(delaySeconds > 0 && { notBefore: createdAt }) };
  return { ...jobKey(id), ...pendingKey(id, dueAt), ...progress, ...(requestId && { requestId }) };
}
