import type { Table } from '../../shared/db/table.ts';
import type { JobRepository } from '../../shared/jobs/job-repository.ts';
import { renderEndpointNoticeMail } from '../../shared/mail/endpoint-notice-mail.ts';
import type { SendMail } from '../../shared/mail/mail-client.ts';
import type { Operator } from '../../shared/operator.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import type { SellerRepository } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import type { WebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';

/** Tells a seller that nothing is sent to an endpoint any more; nothing, once it is enabled again or deleted. */
export function createSendEndpointNotice(dependencies: {
  table: Table;
  sellers: Pick<SellerRepository, 'findSeller'>;
  endpoints: Pick<WebhookEndpointRepository, 'findEndpoint'>;
  jobs: JobRepository;
  send: SendMail;
  operator: Operator;
}): RunJob<'send-endpoint-notice'> {
  const { table, sellers, endpoints, jobs, send, operator } = dependencies;

  return async (job) => {
    const { sellerId, endpointId } = job.task;
    const [seller, endpoint] = await Promise.all([sellers.findSeller(sellerId), endpoints.findEndpoint(sellerId, endpointId)]);
    if (seller?.contactEmail && endpoint?.disabledReason === 'failing') {
      const { url, description } = endpoint;
      const notice = { endpointId, host: new URL(url).host, description, disabledAt: new Date(job.createdAt) };
      const locale = languageOf(seller.displayName) === 'ja' ? 'ja' : 'en';
      const reference = `${endpointId}/${job.createdAt}`;
      await send({ to: seller.contactEmail, reference, ...renderEndpointNoticeMail({ operator, notice, locale }) });
    }
    await table.write(jobs.finishJob(job));
  };
}
