import { randomInt } from 'node:crypto';
import { readStackFile } from '../../../infra/local/stack-file.ts';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { sessionEvent, sign } from '../../support/samples/provider-events.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';
import { eventually, offerProduct, startStackHarness } from '../../support/scenes/stack-harness.ts';
import { countFaults } from './faults.ts';

const secret = 'whsec_local_platform';
const seats = 3;
/** More than there are seats, so that some are refused. */
const devices = 5;
const off = {
  RATE_LIMIT_CHECKOUT: '0',
  RATE_LIMIT_COMPLETE: '0',
  RATE_LIMIT_HEALTH: '0',
  RATE_LIMIT_SELLER: '0',
  RATE_LIMIT_UNKNOWN_KEYS: '0',
};

export type Shop = Awaited<ReturnType<typeof startShop>>;

/**
 * A whole service in a process of its own, as `npm start` runs it, with a product of three seats and so many licenses of it that were sold.
 * Each request picks a license and one of its devices at random, and throws on an answer that it may not get.
 */
export async function startShop(licenses: number) {
  const folder = await temporaryFolder();
  const harness = await startStackHarness({ DATA_DIR: folder.path, ...off });
  const product = await offerProduct(harness, { activation_limit: seats });
  const paid: string[] = [];

  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<string> {
    const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const reply = await fetch(harness.baseUrl + path, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      body: content ?? null,
    });
    const text = await reply.text();
    // A full license refuses a device with 409.
    if (!reply.ok && reply.status !== 409) throw new Error(`${path} answered ${reply.status}`);
    return text;
  }

  async function sell(): Promise<string> {
    const sale = JSON.parse(await ask('POST', `/v1/public/products/${product.slug}/checkout`));
    const order = { ...sale, id: sale.order_id, checkoutSessionId: new URL(sale.checkout_url).pathname.split('/').at(-1) };
    const body = JSON.stringify(sessionEvent(order as Order, 'completed', { customer_details: { email: `${order.id}@example.com` } }));
    await ask('POST', '/v1/payment/webhook', body, { 'Payment-Signature': sign(body, secret) });
    paid.push(order.id);
    return order.id;
  }

  const licenseOf = (orderId: string): Promise<string> =>
    eventually(`order ${orderId} has its license`, 60, async () => {
      const { status, license_id } = await harness.call('GET', `/v1/admin/orders/${orderId}`, { as: 'admin' });
      return status === 'paid' ? license_id : undefined;
    });

  async function keyOf(orderId: string): Promise<string> {
    await licenseOf(orderId);
    const { completion_token: token } = await harness.call('POST', `/v1/admin/orders/${orderId}/completion-token`, { as: 'admin' });
    return (await harness.call('POST', '/v1/purchases/complete', { body: { token } })).license.license_key;
  }

  const keys = await Promise.all(Array.from({ length: licenses }, async () => keyOf(await sell())));
  const onDevice = () => ({
    product_id: product.id,
    license_key: keys[randomInt(keys.length)],
    device_fingerprint: `device-${randomInt(devices)}`,
  });
  const askLicenses = (verb: string) => async () => void (await ask('POST', `/v1/licenses/${verb}`, onDevice()));

  return {
    requests: {
      healthz: async () => void (await ask('GET', '/healthz')),
      validate: askLicenses('validate'),
      activate: askLicenses('activate'),
      deactivate: askLicenses('deactivate'),
      sale: async () => void (await sell()),
    },
    /** What the day did wrong, once each sale that was acknowledged has had a minute to become a license. */
    async countFaults() {
      const made = await Promise.allSettled(paid.map(licenseOf));
      const { tableName, dynamodbEndpoint } = await readStackFile(folder.path);
      const counted = await countFaults(createDynamoClient({ endpoint: dynamodbEndpoint }), tableName, new Set(paid));
      return { ...counted, 'lost sales': Math.max(counted['lost sales'], made.filter(({ status }) => status === 'rejected').length) };
    },
    async stop() {
      await harness.stop();
      await folder.remove();
    },
  };
}
