import type { ApiTokenRecord } from '../../shared/api-tokens/api-token.ts';
import { createApiTokenRepository } from '../../shared/api-tokens/api-token-repository.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { renderTokenNoticeMail } from '../../shared/mail/token-notice-mail.ts';
import type { Operator } from '../../shared/operator.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { SellerRecord } from '../../shared/sellers/seller.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import type { SendOrDrop } from './send-links.ts';

/** Tells a seller that an API token was made, so that one that the seller did not make is found out. */
export function createSendTokenNotice(options: {
  table: Table;
  sendOrDrop: SendOrDrop;
  operator: Operator;
  publicBaseUrl: string;
  now: () => Date;
}): RunJob<'send-token-notice'> {
  const { table, sendOrDrop, operator, publicBaseUrl, now } = options;
  const sellers = createSellerRepository({ table });
  const tokens = createApiTokenRepository({ table });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const { sellerId, tokenId } = job.task;
    const [seller, token] = await Promise.all([sellers.findSeller(sellerId), tokens.findToken(tokenId, now())]);
    const outcome = await tell(seller, token);
    await table.write(jobs.finishJob(job));
    return { outcome, mailKind: 'token_notice' };
  };

  async function tell(seller: SellerRecord | undefined, token: ApiTokenRecord | undefined) {
    if (!token) return 'superseded';
    if (!seller?.contactEmail) return 'no_recipient';
    const { id: tokenId, name, scopes, createdAt, expiresAt } = token;
    const notice = { tokenId, name, scopes, createdAt, expiresAt, revokeUrl: `${publicBaseUrl}/v1/api-tokens/${tokenId}/revoke` };
    const locale = languageOf(seller.displayName) === 'ja' ? 'ja' : 'en';
    return sendOrDrop({ to: seller.contactEmail, reference: tokenId, ...renderTokenNoticeMail({ operator, notice, locale }) });
  }
}
