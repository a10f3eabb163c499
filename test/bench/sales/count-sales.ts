import type { Order } from '../../../shared/orders/order.ts';
import type { SalesScene } from './sales-scene.ts';

/** What became of paid events, each of an order of its own. */
export interface Outcome {
  /** Sales without their license, their place in the order, their mail, or one of the seller's events. */
  lost: number;
  /** Sales with more than one license, or more than one of each event. */
  doubled: number;
}

/** Counts in the table what was lost or doubled; then the command fails. Call it when the scene is settled. */
export async function countSales(scene: SalesScene, orders: readonly Order[]): Promise<Outcome> {
  const items = Object.entries(await scene.readAll());
  const numberOf = (ids: readonly unknown[]) => Map.groupBy(ids, (id) => id);
  const licenses = numberOf(items.filter(([key]) => /^LICENSE#.* LICENSE$/.test(key)).map(([, item]) => item['orderId']));
  const events = numberOf(
    items
      .filter(([key]) => key.startsWith('SELLER_EVENTS#'))
      .map(([, { type, data }]) => `${type} ${(data as { orderId: string }).orderId}`),
  );
  const stored = new Map(items.map(([key, item]) => [key, item]));
  const eventsOf = (id: string) => ['order.paid', 'license.issued'].map((type) => events.get(`${type} ${id}`)?.length ?? 0);
  const isDone = ({ id }: Order) => {
    const order = stored.get(`ORDER#${id} ORDER`);
    const isSold = order?.['status'] === 'paid' && order['licenseId'] !== undefined && scene.sent.has(id);
    return isSold && licenses.has(id) && eventsOf(id).every((count) => count > 0);
  };
  const lost = orders.filter((order) => !isDone(order)).length;
  const doubled = orders.filter(({ id }) => [licenses.get(id)?.length ?? 0, ...eventsOf(id)].some((count) => count > 1)).length;
  if (lost + doubled > 0) process.exitCode = 1;
  return { lost, doubled };
}

/** Has `lanes` at once take the items one after another. */
export async function inFlight<T>(lanes: number, items: readonly T[], each: (item: T) => Promise<unknown>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const item of left) await each(item);
    }),
  );
}
