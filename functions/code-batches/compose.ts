import { createCodeBatchService } from '../../shared/code-batches/code-batch-service.ts';
import { createCodeStockService } from '../../shared/code-batches/code-stock-service.ts';
import type { Composition } from '../../shared/function-parts.ts';
import { usersBy } from '../../shared/http/create-authenticate.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import { normalizeLicenseKey } from '../../shared/licenses/license-key.ts';
import { createWaitingOrderRepository } from '../../shared/orders/waiting-order-repository.ts';
import type { settingNames } from './declaration.ts';
import { routes } from './routes.ts';

/** The endpoints with which sellers import codes of their own. */
export function compose({ settings, logger, table, sender, now }: Composition<typeof settingNames, 'table' | 'sender'>) {
  const { ENCRYPTION_KEYS: encryptionKeys } = settings;
  const { countWaitingOrders } = createWaitingOrderRepository({ table });
  return createHandler({
    routes,
    services: {
      codeBatches: createCodeBatchService({ table, encryptionKeys, sendJob: sender.sendJob, normalize: normalizeLicenseKey, now }),
      codeStock: createCodeStockService({ table, countWaitingOrders }),
    },
    logger,
    ...usersBy(settings, { table, now }),
  });
}
