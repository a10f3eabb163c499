import type { Needs } from '../../../shared/context.ts';
import { passedOn } from '../../../shared/entitlements/holds.ts';
import { newId } from '../../../shared/ids.ts';
import { causeOfOrder } from '../../../shared/mail/outbox/mail-cause.ts';
import { type Order, wasPaid } from '../../../shared/orders/order.ts';
import { getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { type Effects, noEffects } from '../effects.ts';
import { addedMail } from '../mail-effects.ts';

/**
 * Records the first payment of an upgrade with the order that it was upgraded from, as that was read, takes over why the
 * license of that order is held, and through which, and tells its buyer. From then on each change of that hold is followed by a job.
 */
export async function recordUpgrade(c: Needs<'table' | 'now'>, before: Order, after: Order): Promise<Effects> {
  const { id: orderId, productId, upgradedFrom, terms } = after;
  if (!upgradedFrom || wasPaid(before) || !wasPaid(after)) return noEffects;
  const parent = await getOrder(c.table, upgradedFrom.orderId);
  const mail = addedMail(c, {
    id: newId('mail', c.now()),
    orderId: parent.id,
    kind: 'license_upgraded',
    cause: causeOfOrder(after),
    upgrade: { productName: terms.productName },
  });
  const upgrades = [...(parent.upgrades ?? []), { orderId, productId }];
  return {
    ...mail,
    order: passedOn(parent),
    writes: [replaceOrder(parent, { ...parent, upgrades }), ...mail.writes],
  };
}
