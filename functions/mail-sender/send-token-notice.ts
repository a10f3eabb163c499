import type { ApiTokenRecord } from '../../shared/api-tokens/api-token.ts';
import { findToken } from '../../shared/api-tokens/api-token-repository.ts';
import type { Needs } from '../../shared/context.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { renderTokenNoticeMail } from '../../shared/mail/seller-mails/token-notice-mail.ts';
import { type OperatorSetting, operatorOf } from '../../shared/operator.ts';
import type { SellerRecord } from '../../shared/sellers/seller.ts';
import { findSeller } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import { sendOrDrop } from './send-or-drop.ts';

/** Notifies a seller of a new API token, so that an unauthorized one is noticed. */
export async function sendTokenNotice(
  c: Needs<'table' | 'now' | 'logger' | OperatorSetting | 'PUBLIC_BASE_URL' | 'send'>,
  job: Job<'send-token-notice'>,
) {
  const { sellerId, tokenId } = job.task;
  const [seller, token] = await Promise.all([findSeller(c.table, sellerId), findToken(c.table, tokenId, c.now())]);
  const outcome = await sendNotice(c, seller, token);
  await c.table.write(finishJob(job));
  return { outcome, mailKind: 'token_notice' };
}

async function sendNotice(
  c: Needs<'logger' | OperatorSetting | 'PUBLIC_BASE_URL' | 'send'>,
  seller: SellerRecord | undefined,
  token: ApiTokenRecord | undefined,
) {
  if (!token) return 'superseded';
  if (!seller?.contactEmail) return 'no_recipient';
  const { id: tokenId, name, scopes, createdAt, expiresAt } = token;
  const notice = {
    tokenId,
    name,
    scopes,
    createdAt,
    expiresAt,
    revokeUrl: `${c.settings.PUBLIC_BASE_URL}/v1/api-tokens/${tokenId}/revoke`,
  };
  const locale = languageOf(seller.displayName) === 'ja' ? 'ja' : 'en';
  return sendOrDrop(c, {
    to: seller.contactEmail,
    reference: tokenId,
    ...renderTokenNoticeMail({ operator: operatorOf(c.settings), notice, locale }),
  });
}
