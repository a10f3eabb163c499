/** The jobs that tell sellers what happened, at the address that they have now. */

import { findToken } from '../../shared/api-tokens/api-token-repository.ts';
import { mailboxHash } from '../../shared/buyer-email/buyer-email.ts';
import { consoleUrlOf } from '../../shared/console-links.ts';
import type { Needs } from '../../shared/context.ts';
import type { SellerId } from '../../shared/ids.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import type { MailContext, RenderedMail } from '../../shared/mail/layout/mail-layout.ts';
import { causeOfKind } from '../../shared/mail/outbox/mail-cause.ts';
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
import { takeTurn } from './take-turn.ts';

type NoticeNeeds = Needs<'table' | 'now' | 'logger' | 'ENCRYPTION_KEYS' | OperatorSetting | 'send'>;

/** What a mail to a seller is: `about` is what a later one takes the place of while both wait. */
interface SellerMail {
  kind: 'endpoint_notice' | 'review_notice' | 'token_notice';
  reference: string;
  about: string;
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
  return end(c, job, kind, await tell(c, sellerId, { kind, reference: `${endpointId}/${disabledAt}`, about: endpointId, render }));
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
  return end(c, job, kind, await tell(c, sellerId, { kind, reference: noticeId, about: noticeId, render }));
}

/** A new API token, so that an unauthorized one is noticed. */
export async function sendTokenNotice(c: NoticeNeeds & Needs<'PUBLIC_BASE_URL'>, job: Job<'send-token-notice'>) {
  const { sellerId, tokenId } = job.task;
  const kind = 'token_notice';
  const token = await findToken(c.table, tokenId, c.now());
  if (!token) return end(c, job, kind, 'superseded');
  const { name, scopes, createdAt, expiresAt } = token;
  const notice = { tokenId, scopes, createdAt, expiresAt, revokeUrl: `${c.settings.PUBLIC_BASE_URL}/v1/api-tokens/${tokenId}/revoke` };
  const render = (frame: MailContext, isConfirmed: boolean) =>
    renderTokenNoticeMail({ ...frame, notice: { ...notice, ...(isConfirmed && { name }) } });
  return end(c, job, kind, await tell(c, sellerId, { kind, reference: tokenId, about: sellerId, render }));
}

/** The language of the seller's name comes first. @throws ThrottledJobError while the address has its mails of this hour */
async function tell(c: NoticeNeeds, sellerId: SellerId, { kind, reference, about, render }: SellerMail) {
  const seller = await findSeller(c.table, sellerId);
  const to = seller?.contactEmail;
  if (!to) return 'no_recipient';
  if (causeOfKind[kind] === 'free') {
    const mail = { mailboxHash: mailboxHash(to, c.settings.ENCRYPTION_KEYS), mailId: reference, cause: 'free' } as const;
    if ((await takeTurn(c, mail, `${kind}/${about}`)) !== 'now') return 'superseded';
  }
  const locale = languageOf(seller.displayName) === 'ja' ? 'ja' : 'en';
  return sendOrDrop(c, { to, reference, ...render({ operator: operatorOf(c.settings), locale }, isApproved(seller)) });
}

async function end(c: Needs<'table'>, job: Job, mailKind: string, outcome: string) {
  await c.table.write(finishJob(job));
  return { outcome, mailKind };
}
