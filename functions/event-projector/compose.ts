import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createCodeStockRepository } from '../../shared/code-batches/code-stock-repository.ts';
import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createMailRepository } from '../../shared/mail/mail-repository.ts';
import { createOrderRepository } from '../../shared/orders/order-repository.ts';
import { createWaitingOrderRepository } from '../../shared/orders/waiting-order-repository.ts';
import { createCheckoutSessions } from '../../shared/payments/checkout-sessions.ts';
import { createConnectedAccounts } from '../../shared/payments/connected-accounts.ts';
import { createPaymentRepository } from '../../shared/payments/payment-repository.ts';
import type { StripeClient } from '../../shared/payments/stripe-client.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { createRecordEvent } from '../../shared/seller-events/event-record-repository.ts';
import { createSellerOnboarding } from '../../shared/sellers/seller-onboarding.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createApplyPaymentUpdate } from './apply-payment-update.ts';
import type { settingNames } from './declaration.ts';
import { createIssueLater, createIssuePostponed } from './issue-later.ts';
import { createIssueLicense } from './issue-license.ts';
import { createProjectEvent } from './project-event.ts';
import { createReleaseMail } from './release-mail.ts';
import { createServeWaitingOrders } from './serve-waiting-orders.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

/** The worker that turns provider events into orders, payments, licenses and sellers' payment fields. */
export function compose({
  settings,
  logger,
  table,
  provider,
  sender,
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  provider: StripeClient;
  sender: JobSender;
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
  const recordEvent = createRecordEvent({ now });
  const onboarding = createSellerOnboarding({
    table,
    sellers: createSellerRepository({ table }),
    accounts: createConnectedAccounts({ provider, stage, publicBaseUrl: settings.PUBLIC_BASE_URL }),
    audit,
    country: settings.PAYMENT_ACCOUNT_COUNTRY,
    now,
  });

  const applyPaymentUpdate = createApplyPaymentUpdate({
    table,
    orders,
    payments,
    licenses,
    audit,
    recordEvent,
    issueLicense: createIssueLicense({
      table,
      licenses,
      codeStock,
      waitingOrders,
      mails,
      jobs,
      audit,
      recordEvent,
      peppers,
      encryptionKeys,
      now,
    }),
    issueLater: createIssueLater({ jobs }),
    releaseMail: createReleaseMail({ mails, jobs }),
    sender,
    logger,
    encryptionKeys,
    now,
  });
  const projectEvent = createProjectEvent({
    stage,
    table,
    orders,
    payments,
    jobs,
    checkoutSessions: createCheckoutSessions({ provider }),
    applyPaymentUpdate,
    refreshAccount: (event) => onboarding.refreshByEvent(event),
    encryptionKeys,
    now,
  });
  const serveWaitingOrders = createServeWaitingOrders({ table, waitingOrders, jobs, applyPaymentUpdate, hasStock: codeStock.hasStock });

  return createWorker({
    run: {
      'project-event': projectEvent,
      'serve-waiting-orders': serveWaitingOrders,
      'issue-license': createIssuePostponed({ jobs, applyPaymentUpdate }),
    },
    jobs,
    sender,
    logger,
    leaseSeconds,
    now,
  });
}
