import type { Needs } from '../../shared/context.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { renderEndpointNoticeMail } from '../../shared/mail/seller-mails/endpoint-notice-mail.ts';
import { type OperatorSetting, operatorOf } from '../../shared/operator.ts';
import type { SellerRecord } from '../../shared/sellers/seller.ts';
import { findSeller } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import type { WebhookEndpointRecord } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint.ts';
import { findEndpoint } from '../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { sendOrDrop } from './send-or-drop.ts';

/** Tells a seller that nothing is sent to an endpoint any more; nothing, once it is enabled again or deleted. */
export async function sendEndpointNotice(c: Needs<'table' | 'logger' | OperatorSetting | 'send'>, job: Job<'send-endpoint-notice'>) {
  const { sellerId, endpointId } = job.task;
  const [seller, endpoint] = await Promise.all([findSeller(c.table, sellerId), findEndpoint(c.table, sellerId, endpointId)]);
  const outcome = await sendNotice(c, seller, endpoint, job.createdAt);
  await c.table.write(finishJob(job));
  return { outcome, mailKind: 'endpoint_notice' };
}

async function sendNotice(
  c: Needs<'logger' | OperatorSetting | 'send'>,
  seller: SellerRecord | undefined,
  endpoint: WebhookEndpointRecord | undefined,
  since: string,
) {
  if (endpoint?.disabledReason !== 'failing') return 'superseded';
  if (!seller?.contactEmail) return 'no_recipient';
  const { id: endpointId, url, description } = endpoint;
  const notice = { endpointId, host: new URL(url).host, description, disabledAt: new Date(since) };
  const locale = languageOf(seller.displayName) === 'ja' ? 'ja' : 'en';
  const mail = renderEndpointNoticeMail({ operator: operatorOf(c.settings), notice, locale });
  return sendOrDrop(c, { to: seller.contactEmail, reference: `${endpointId}/${since}`, ...mail });
}
