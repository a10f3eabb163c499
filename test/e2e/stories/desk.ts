import { type StackHarness, startStackHarness } from '../../support/scenes/stack-harness.ts';

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

export const activate = (productId: string, key: string, device: string) =>
  anyone('POST', '/v1/licenses/activate', { product_id: productId, license_key: key, device_fingerprint: device, device_label: device });
