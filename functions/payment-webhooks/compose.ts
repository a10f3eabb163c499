import type { Composition } from '../../shared/function-parts.ts';
import { callersBy } from '../../shared/http/caller-address.ts';
import { createHandler } from '../../shared/http/create-handler.ts';
import type { settingNames } from './declaration.ts';
import { createWebhookReceiver } from './receive-event.ts';
import { routes } from './routes.ts';

/** The endpoints to which the payment provider sends its events. */
export function compose({ settings, logger, table, sender, now = () => new Date() }: Composition<typeof settingNames, 'table' | 'sender'>) {
  const secrets = { platform: settings.PAYMENT_WEBHOOK_SECRET, connect: settings.PAYMENT_CONNECT_WEBHOOK_SECRET };
  const webhooks = createWebhookReceiver({ secrets, table, sender, encryptionKeys: settings.ENCRYPTION_KEYS, now });
  return createHandler({ routes, services: { webhooks }, logger, ...callersBy(settings) });
}
