import * as z from 'zod/mini';
import { Anything, anyone, asAdmin, atProvider, type Caller, call, type Stack } from './example-caller.ts';
import type { ExampleSale } from './example-data.ts';
import { listOf, OrderReply, Outbox, PaidOrder, type ProductReply, Purchase } from './replies.ts';
import { waitFor } from './wait-for.ts';

export async function makeSale(at: Stack, owner: Caller, product: ProductReply, sale: ExampleSale): Promise<void> {
  const { items } = await call(at, listOf(OrderReply), owner, 'POST', '/v1/orders/search', { buyer_email: sale.buyer });
  const known = items.find(({ product_id }) => product_id === product.id);
  const id = known?.id ?? (await pay(at, product, sale));
  const order = `/v1/orders/${id}`;
  const hasCome = (...statuses: string[]) =>
    waitFor(`An order being ${statuses.join(' or ')}`, async () => {
      const found = await call(at, OrderReply, owner, 'GET', order);
      // A sold code is a license too.
      return (statuses.includes(found.status) && found.license_id !== undefined && found) || undefined;
    });
  const { status } = await hasCome('paid', 'refunded');
  if (status === 'refunded') return;
  if (sale.devices) await activate(at, product.id, sale.buyer, id, sale.devices);
  if (sale.suspended !== undefined) await call(at, Anything, owner, 'POST', `${order}/license/suspend`, { reason: sale.suspended });
  if (!sale.refunded) return;
  const { checkout_session_id: session } = await asAdmin(at, PaidOrder, 'GET', `/v1/admin/orders/${id}`);
  await atProvider(at, `/test/payments/${session}/refund`, {});
  await hasCome('refunded');
}

/** Returns the id of the order. */
async function pay(at: Stack, product: ProductReply, { buyer, locale, choice }: ExampleSale): Promise<string> {
  const Checkout = z.object({ checkout_url: z.string(), order_id: z.string() });
  const checkouts = `/v1/public/products/${encodeURIComponent(product.slug)}/checkout`;
  const checkout = await call(at, Checkout, anyone, 'POST', checkouts, { locale, ...choice });
  const session = new URL(checkout.checkout_url).pathname.split('/').at(-1);
  await atProvider(at, `/test/checkout/${session}/pay`, { email: buyer });
  return checkout.order_id;
}

/** The buyer takes the key from the mail, and the app activates it. */
async function activate(at: Stack, productId: string, buyer: string, orderId: string, devices: readonly string[]): Promise<void> {
  const license_key = await waitFor('A mail', async () => {
    const { items } = await call(at, Outbox, anyone, 'GET', '/__local/outbox');
    const tokens = items.filter(({ to }) => to === buyer).flatMap(({ text }) => /#token=([\w.-]+)/.exec(text)?.[1] ?? []);
    for (const token of tokens) {
      const { order, license } = await call(at, Purchase, anyone, 'POST', '/v1/purchases/complete', { token });
      if (order.id === orderId) return license.license_key;
    }
    return undefined;
  });
  for (const device_label of devices) {
    const device = { device_fingerprint: `example-${device_label}`, device_label };
    await call(at, Anything, anyone, 'POST', '/v1/licenses/activate', { product_id: productId, license_key, ...device });
  }
}
