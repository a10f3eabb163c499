import { eventually, type StackHarness, startStackHarness } from '../../support/scenes/stack-harness.ts';

/** The whole stack on which these stories take place, each with products and buyers of its own. */
export let stack: StackHarness;

export async function openDesk(settings: Record<string, string>): Promise<void> {
  stack = await startStackHarness(settings);
}

export const seller = (method: string, path: string, body?: unknown) => stack.call(method, path, { as: 'seller', body });
export const admin = (method: string, path: string, body?: unknown) => stack.call(method, path, { as: 'admin', body });
export const anyone = (method: string, path: string, body?: unknown) => stack.call(method, path, { body });

/** The code that a call is refused with. */
export const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: Error) => /"code":"(\w+)"/.exec(error.message)?.[1],
  );

export const sessionOf = (checkoutUrl: string) => new URL(checkoutUrl).pathname.split('/').at(-1) ?? '';

/** Opens a checkout of the product; resolves to its order and session. */
export async function order(slug: string): Promise<{ orderId: string; session: string }> {
  const { order_id: orderId, checkout_url: url } = await anyone('POST', `/v1/public/products/${slug}/checkout`, {});
  return { orderId, session: sessionOf(url) };
}

/** Pays; resolves to the token of the redirect, and the purchase once it shows, with its license if there is to be one. */
export async function pay(session: string, email: string, isLicensed = true) {
  const paid = await stack.provider(`/test/checkout/${session}/pay`, { email });
  const token = /#token=([\w.-]+)/.exec(paid.redirect_url)?.[1] ?? '';
  const purchase = await eventually('the purchase shows', 90, async () => {
    const shown = await anyone('POST', '/v1/purchases/complete', { token }).catch(() => undefined);
    return isLicensed && !shown?.license?.license_key ? undefined : shown;
  });
  return { token, purchase, payment: paid.payment_intent };
}

let buyers = 0;

/** Buys the product under an address of its own, and waits for its license. */
export async function buy(slug: string) {
  buyers += 1;
  const address = `buyer-${buyers}@example.com`;
  const { orderId, session } = await order(slug);
  const { token, purchase, payment } = await pay(session, address);
  return { orderId, token, address, payment, licenseId: purchase.license.id, key: purchase.license.license_key };
}

export const activate = (productId: string, key: string, device: string) =>
  anyone('POST', '/v1/licenses/activate', { product_id: productId, license_key: key, device_fingerprint: device, device_label: device });
