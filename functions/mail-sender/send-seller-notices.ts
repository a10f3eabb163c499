/** The jobs that tell sellers what happened, at the address that they have now. */

import { findToken } from '../../shared/api-tokens/api-token-repository.ts';
import { consoleUrlOf } from '../../shared/console-links.ts';
import type { Needs } from '../../shared/context.ts';
import type { SellerId } from '../../shared/ids.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import type { MailContext, RenderedMail } from '../../shared/mail/layout/mail-layout.ts';
import { renderEndpointNoticeMail } from '../../shared/mail/seller-mails/endpoint-notice-mail.ts';
import { consoleUrlOfReview, ReviewNotice } from '../../shared/mail/seller-mails/review-notice.ts';
import { renderReviewNoticeMail } from '../../shared/mail/seller-mails/review-notice-mail.ts';
import { renderTokenNoticeMail } from '../../shared/mail/seller-mails/token-notice-mail.ts';
import { type OperatorSetting, operatorOf } from '../../shared/operator.ts';
import { findSeller } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import { findEndpoint } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { sendOrDrop } from './send-or-drop.ts';

type NoticeNeeds = Needs<'table' | 'logger' | OperatorSetting | 'send'>;

/** That nothing is sent to an endpoint any more; nothing, once it is enabled again or deleted. */
export async function sendEndpointNotice(c: NoticeNeeds, job: Job<'send-endpoint-notice'>) {
  const { sellerId, endpointId } = job.task;
  const endpoint = await findEndpoint(c.table, sellerId, endpointId);
  if (endpoint?.disabledReason !== 'failing') return end(c, job, 'endpoint_notice', 'superseded');
  const { url, description } = endpoint;
  const notice = { endpointId, host: new URL(url).host, description, disabledAt: new Date(job.createdAt) };
  const outcome = await tell(c, sellerId, `${endpointId}/${job.createdAt}`, (frame) => renderEndpointNoticeMail({ ...frame, notice }));
  return end(c, job, 'endpoint_notice', outcome);
}

/** What a review came to. */
export async function sendReviewNotice(c: NoticeNeeds & Needs<'CONSOLE_CLIENT_ID' | 'PUBLIC_BASE_URL'>, job: Job<'send-review-notice'>) {
  const { sellerId, noticeId } = job.task;
  const notice = ReviewNotice.parse(job.payload);
  const consoleUrl = consoleUrlOf(c.settings);
  const screen = consoleUrl && consoleUrlOfReview(notice, consoleUrl);
  const outcome = await tell(c, sellerId, noticeId, (frame) => renderReviewNoticeMail({ ...frame, notice, screen }));
  return end(c, job, 'review_notice', outcome);
}

/** A new API token, so that an unauthorized one is noticed. */
export async function sendTokenNotice(c: NoticeNeeds & Needs<'now' | 'PUBLIC_BASE_URL'>, job: Job<'send-token-notice'>) {
  const { sellerId, tokenId } = job.task;
  const token = await findToken(c.table, tokenId, c.now());
  if (!token) return end(c, job, 'token_notice', 'superseded');
  const { name, scopes, createdAt, expiresAt } = token;
  const notice = {
    tokenId,
    name,
    scopes,
    createdAt,
    expiresAt,
    revokeUrl: `${c.settings.PUBLIC_BASE_URL}/v1/api-tokens/${tokenId}/revoke`,
  };
  const outcome = await tell(c, sellerId, tokenId, (frame) => renderTokenNoticeMail({ ...frame, notice }));
  return end(c, job, 'token_notice', outcome);
}

/** The language of the seller's name comes first. */
async function tell(c: NoticeNeeds, sellerId: SellerId, reference: string, render: (frame: MailContext) => RenderedMail) {
  const seller = await findSeller(c.table, sellerId);
  if (!seller?.contactEmail) return 'no_recipient';
  const locale = languageOf(seller.displayName) === 'ja' ? 'ja' : 'en';
  return sendOrDrop(c, { to: seller.contactEmail, reference, ...render({ operator: operatorOf(c.settings), locale }) });
}

async function end(c: Needs<'table'>, job: Job, mailKind: string, outcome: string) {
  await c.table.write(finishJob(job));
  return { outcome, mailKind };
}
