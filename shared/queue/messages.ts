import * as z from 'zod/mini';
import type { SettingName } from '../config.ts';
import type { JobKind } from '../jobs/job.ts';

/** The body of a queue message: the id of its job. Everything else is read from the table. */
export const JobMessage = z.object({ jobId: z.string() });
export type JobMessage = z.infer<typeof JobMessage>;

/** The queue that carries each kind of job, by the setting that holds its URL. */
export const queueOfJob = {
  'project-event': 'WEBHOOK_QUEUE_URL',
  'follow-hold': 'WEBHOOK_QUEUE_URL',
  'serve-waiting-orders': 'WEBHOOK_QUEUE_URL',
  'issue-license': 'WEBHOOK_QUEUE_URL',
  'settle-redemption': 'WEBHOOK_QUEUE_URL',
  'send-mail': 'MAIL_QUEUE_URL',
  'send-links': 'MAIL_QUEUE_URL',
  'hash-file': 'HASH_QUEUE_URL',
  'scan-file': 'SCAN_QUEUE_URL',
  'discard-upload': 'HASH_QUEUE_URL',
  'abort-parts': 'HASH_QUEUE_URL',
  'withdraw-unused-file': 'HASH_QUEUE_URL',
  'import-codes': 'IMPORT_QUEUE_URL',
  'publish-event': 'EVENT_QUEUE_URL',
  'tell-refusals': 'EVENT_QUEUE_URL',
  'deliver-events': 'DELIVERY_QUEUE_URL',
  'send-endpoint-notice': 'MAIL_QUEUE_URL',
  'send-review-notice': 'MAIL_QUEUE_URL',
  'send-token-notice': 'MAIL_QUEUE_URL',
} as const satisfies Record<JobKind, SettingName>;

export type QueueSetting = (typeof queueOfJob)[JobKind];
export const queueSettings: readonly QueueSetting[] = [...new Set(Object.values(queueOfJob))];
