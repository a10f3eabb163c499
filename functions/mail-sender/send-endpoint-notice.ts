import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { renderEndpointNoticeMail } from '../../shared/mail/endpoint-notice-mail.ts';
import type { SendMail } from '../../shared/mail/mail-client.ts';
import type { Operator } from '../../shared/operator.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import { createWebhookEndpointRepository } from '../../shared/webhook-endpoints/webhook-endpoint-repository.ts';

/** Tells a seller that nothing is sent to an endpoint any more; nothing, once it is enabled again or deleted. */
export function createSendEndpointNotice(options: {
  table: Table;
  send: SendMail;
  operator: Operator;
  now: () => Date;
}): RunJob<'send-endpoint-notice'> {
  const { table, send, operator, now } = options;
  const sellers = createSellerRepository({ table });
  const endpoints = createWebhookEndpointRepository({ table });
  const jobs = createJobRepository({ table, now });

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
