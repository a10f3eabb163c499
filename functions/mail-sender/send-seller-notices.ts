/** The jobs that tell sellers what happened, at the address that they have now. */

import { findToken } from '../../shared/api-tokens/api-token-repository.ts';
import { consoleUrlOf } from '../../shared/console-links.ts';
import type { Needs } from '../../shared/context.ts';
import type { SellerId } from '../../shared/ids.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import type { MailContext, RenderedMail } from '../../shared/mail/layout/mail-layout.ts';
import { renderEndpointNoticeMail } from '../../shared/mail/seller-mails/endpoint-notice-mail.ts';
import { consoleUrlOfReview, ReviewNotice, withoutNames } from '../../shared/mail/seller-mails/review-notice.ts';
import { renderReviewNoticeMail } from '../../shared/mail/seller-mails/review-notice-mail.ts';
import { renderTokenNoticeMail } from '../../shared/mail/seller-mails/token-notice-mail.ts';
import { type OperatorSetting, operatorOf } from '../../shared/operator.ts';
import { isApproved } from '../../shared/sellers/seller.ts';
import { findSeller } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import { findEndpoint } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { sendOrDrop } from './send-or-drop.ts';

type NoticeNeeds = Needs<'table' | 'logger' | OperatorSetting | 'send'>;

/** A mail to a seller. */
interface SellerMail {
  reference: string;
  /** @param isConfirmed whether it may hold words of the seller's: once an admin approved the seller, the address is known to be theirs */
  render: (frame: MailContext, isConfirmed: boolean) => RenderedMail;
}

/** That nothing is sent to an endpoint any more; nothing, once it is enabled again or deleted. */
export async function sendEndpointNotice(c: NoticeNeeds, job: Job<'send-endpoint-notice'>) {
  const { sellerId, endpointId } = job.task;
  const kind = 'endpoint_notice';
  const endpoint = await findEndpoint(c.table, sellerId, endpointId);
  if (endpoint?.disabledReason !== 'failing') return end(c, job, kind, 'superseded');
  const { url, description, disabledAt = job.createdAt } = endpoint;
  const notice = { endpointId, disabledAt: new Date(disabledAt) };
  const words = { host: new URL(url).host, description };
  const render = (frame: MailContext, isConfirmed: boolean) =>
    renderEndpointNoticeMail({ ...frame, notice: { ...notice, ...(isConfirmed && words) } });
  return end(c, job, kind, await tell(c, sellerId, { reference: `${endpointId}/${disabledAt}`, render }));
}

/** What a review came to. */
export async function sendReviewNotice(c: NoticeNeeds & Needs<'CONSOLE_CLIENT_ID' | 'PUBLIC_BASE_URL'>, job: Job<'send-review-notice'>) {
  const { sellerId, noticeId } = job.task;
  const kind = 'review_notice';
  const full = ReviewNotice.parse(job.payload);
  const consoleUrl = consoleUrlOf(c.settings);
  const render = (frame: MailContext, isConfirmed: boolean) => {
    const notice = isConfirmed ? full : withoutNames(full);
    const screen = consoleUrl && consoleUrlOfReview(notice, consoleUrl);
    return renderReviewNoticeMail({ ...frame, notice, screen });
  };
  return end(c, job, kind, await tell(c, sellerId, { reference: noticeId, render }));
}

/** A new API token, so that an unauthorized one is noticed. */
export async function sendTokenNotice(c: NoticeNeeds & Needs<'now' | 'PUBLIC_BASE_URL'>, job: Job<'send-token-notice'>) {
  const { sellerId, tokenId } = job.task;
  const kind = 'token_notice';
  const token = await findToken(c.table, tokenId, c.now());
  if (!token) return end(c, job, kind, 'superseded');
  const { name, scopes, createdAt, expiresAt } = token;
  const notice = { tokenId, scopes, createdAt, expiresAt, revokeUrl: `${c.settings.PUBLIC_BASE_URL}/v1/api-tokens/${tokenId}/revoke` };
  const render = (frame: MailContext, isConfirmed: boolean) =>
    renderTokenNoticeMail({ ...frame, notice: { ...notice, ...(isConfirmed && { name }) } });
  return end(c, job, kind, await tell(c, sellerId, { reference: tokenId, render }));
}

/** The language of the seller's name comes first. */
async function tell(c: NoticeNeeds, sellerId: SellerId, { reference, render }: SellerMail) {
  const seller = await findSeller(c.table, sellerId);
  const to = seller?.contactEmail;
  if (!to) return 'no_recipient';
  const locale = languageOf(seller.displayName) === 'ja' ? 'ja' : 'en';
  return sendOrDrop(c, { to, reference, ...render({ operator: operatorOf(c.settings), locale }, isApproved(seller)) });
}

async function end(c: Needs<'table'>, job: Job, mailKind: string, outcome: string) {
  await c.table.write(finishJob(job));
  return { outcome, mailKind };
}
