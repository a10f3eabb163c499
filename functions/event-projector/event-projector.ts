import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createCodeStockRepository } from '../../shared/code-batches/code-stock-repository.ts';
import type { Settings } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createWaitingOrderRepository } from '../../shared/orders/waiting-order-repository.ts';
import { createCheckoutSessions } from '../../shared/payments/checkout-sessions.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import type { StripeClient } from '../../shared/payments/stripe-client.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createApplyPaymentUpdate } from './apply-payment-update.ts';
import { createIssueLicense } from './issue-license.ts';
import { createProjectEvent, type RefreshAccount } from './project-event.ts';
import { createReleaseMail } from './release-mail.ts';
import { createServeWaitingOrders } from './serve-waiting-orders.ts';

/** The worker that turns provider events into orders, payments and licenses. */
export function createEventProjector({
  settings,
  table,
  provider,
  refreshAccount,
  sender,
  logger,
  now = () => new Date(),
}: {
  settings: Pick<Settings, 'STAGE' | 'LICENSE_PEPPERS' | 'ENCRYPTION_KEYS'>;
  table: Table;
  provider: StripeClient;
  refreshAccount: RefreshAccount;
  sender: JobSender;
  logger: Logger;
  now?: () => Date;
}) {
  const { ENCRYPTION_KEYS: encryptionKeys, LICENSE_PEPPERS: peppers, STAGE: stage } = settings;
  const orders = createOrderRepository({ table });
  const payments = createPaymentRepository({ table });
  const licenses = createLicenseRepository({ table });
  const waitingOrders = createWaitingOrderRepository({ table });
  const codeStock = createCodeStockRepository({ table, encryptionKeys });
  const mails = createMailRepository({ table });
  const jobs = createJobRepository({ table, now });
  const audit = createAuditRepository({ table, now });

  const issueLicense = createIssueLicense({ licenses, codeStock, waitingOrders, mails, jobs, audit, peppers, encryptionKeys, now });
  const releaseMail = createReleaseMail({ mails, jobs });
  const applyPaymentUpdate = createApplyPaymentUpdate({
    orders,
    payments,
    licenses,
    audit,
    issueLicense,
    releaseMail,
    sender,
    encryptionKeys,
  });
  const checkoutSessions = createCheckoutSessions({ provider });

  return createWorker({
    run: {
      'project-event': createProjectEvent({
        stage,
        orders,
        payments,
        jobs,
        checkoutSessions,
        applyPaymentUpdate,
        refreshAccount,
        encryptionKeys,
        now,
      }),
      'serve-waiting-orders': createServeWaitingOrders({ orders, waitingOrders, jobs, applyPaymentUpdate, hasStock: codeStock.hasStock }),
    },
    jobs,
    sender,
    logger,
    leaseSeconds: 60,
    now,
  });
}
