import { createWorker } from '../../shared/queue/create-worker.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { receive } from './receive.ts';
import { sendLinks } from './send-links.ts';
import { sendMail } from './send-mail.ts';
import { sendEndpointNotice, sendReviewNotice, sendTokenNotice } from './send-seller-notices.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

const run = {
  'send-mail': sendMail,
  'send-endpoint-notice': sendEndpointNotice,
  'send-review-notice': sendReviewNotice,
  'send-token-notice': sendTokenNotice,
  'send-links': sendLinks,
};

/**
 * The worker that sends the mails of the outbox, those with fresh links, and what sellers are told of their endpoints, of reviews and of new API tokens;
 * it also takes what the mail service reports of the mails of the outbox.
 */
export function compose(start: Start<typeof declaration>) {
  const c = jobContextOf(start);
  return receive(c, createWorker(c, { run, leaseSeconds }));
}
