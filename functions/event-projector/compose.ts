import type { Composition } from '../../shared/function-parts.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import { createApplyPaymentUpdate } from './apply-payment-update.ts';
import type { settingNames } from './declaration.ts';
import { createIssuePostponed } from './issue-postponed.ts';
import { createFollowHold } from './parents/follow-hold.ts';
import { createProjectEvent } from './project-event.ts';
import { createServeWaitingOrders } from './serve-waiting-orders.ts';
import { createSettleRedemption } from './settle-redemption.ts';

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
}: Composition<typeof settingNames, 'table' | 'provider' | 'sender'>) {
  const { ENCRYPTION_KEYS: encryptionKeys, LICENSE_PEPPERS: peppers, STAGE: stage, PUBLIC_BASE_URL: publicBaseUrl } = settings;
  const applyPaymentUpdate = createApplyPaymentUpdate({ table, sender, logger, peppers, encryptionKeys, now });
  const run = {
    'project-event': createProjectEvent({
      stage,
      publicBaseUrl,
      country: settings.PAYMENT_ACCOUNT_COUNTRY,
      table,
      provider,
      applyPaymentUpdate,
      encryptionKeys,
      now,
    }),
    'follow-hold': createFollowHold({ table, sender, now }),
    'serve-waiting-orders': createServeWaitingOrders({ table, applyPaymentUpdate, now }),
    'issue-license': createIssuePostponed({ table, applyPaymentUpdate, now }),
    'settle-redemption': createSettleRedemption({ table, provider, logger, applyPaymentUpdate, now }),
  };
  return createWorker({ run, table, sender, logger, leaseSeconds, now });
}
