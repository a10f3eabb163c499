import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { renderEndpointNoticeMail } from '../../shared/mail/endpoint-notice-mail.ts';
import type { Operator } from '../../shared/operator.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { SellerRecord } from '../../shared/sellers/seller.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import type { WebhookEndpointRecord } from '../../shared/webhook-endpoints/webhook-endpoint.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';
import type { SendOrDrop } from './send-links.ts';

/** Tells a seller that nothing is sent to an endpoint any more; nothing, once it is enabled again or deleted. */
export function createSendEndpointNotice(options: {
  table: Table;
  sendOrDrop: SendOrDrop;
  operator: Operator;
  now: () => Date;
}): RunJob<'send-endpoint-notice'> {
  const { table, sendOrDrop, operator, now } = options;
  const sellers = createSellerRepository({ table });
  const endpoints = createWebhookEndpointRepository({ table });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const { sellerId, endpointId } = job.task;
    const [seller, endpoint] = await Promise.all([sellers.findSeller(sellerId), endpoints.findEndpoint(sellerId, endpointId)]);
    const outcome = await tell(seller, endpoint, job.createdAt);
    await table.write(jobs.finishJob(job));
    return { outcome, mailKind: 'endpoint_notice' };
  };

  async function tell(seller: SellerRecord | undefined, endpoint: WebhookEndpointRecord | undefined, since: string) {
    if (endpoint?.disabledReason !== 'failing') return 'superseded';
    if (!seller?.contactEmail) return 'no_recipient';
    const { id: endpointId, url, description } = endpoint;
    const notice = { endpointId, host: new URL(url).host, description, disabledAt: new Date(since) };
    const locale = languageOf(seller.displayName) === 'ja' ? 'ja' : 'en';
    const mail = renderEndpointNoticeMail({ operator, notice, locale });
    return sendOrDrop({ to: seller.contactEmail, reference: `${endpointId}/${since}`, ...mail });
  }
}
