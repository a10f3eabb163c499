import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import { newId } from '../../../shared/ids.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createOrder, findOrdersOfBuyer, getOrder } from '../../../shared/orders/order-repository.ts';
import { keyringOf, keyringText } from '../../support/samples/licenses.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { sessionEvent, sign } from '../../support/samples/provider-events.ts';
import { type Deployment, type Environment, startDeployment } from '../../support/scenes/deployment.ts';
import { webhookSecrets } from '../../support/scenes/marketplace.ts';
import { sampleOrder } from '../../support/scenes/projection-harness.ts';

/** Every keyring has a new first key; what the marketplace holds was made under the older one. */
const rotated: Environment = {
  LICENSE_PEPPERS: keyringText('p2', 'p1'),
  ENCRYPTION_KEYS: keyringText('e2', 'e1'),
  TOKEN_KEYS: keyringText('t2', 't1'),
};
describe('after the keys were rotated', () => {
  let d: Deployment;
  beforeAll(async () => {
    d = await startDeployment();
  });
  afterAll(() => d.stop());

  test('tokens, addresses and license keys from before open a purchase', async () => {
    const call = await d.http('purchases', { ...rotated, RATE_LIMIT_COMPLETE: '0' });
    const { token, buyerEmail, key } = d.own;
    expect((await call('POST', '/v1/purchases/complete', { body: { token } })).json.license.license_key).toBe(key);
    const body = { buyer_email: buyerEmail, completion_token: token };
    expect((await call('POST', '/v1/purchases/complete', { body })).json.license_key).toBe(key);
  });

  test('new tokens are good without the older keys', async () => {
    const headers = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };
    const admin = await d.http('admin', rotated);
    const { json } = await admin('POST', `/v1/admin/orders/${d.own.order.id}/completion-token`, { headers });
    const call = await d.http('purchases', { TOKEN_KEYS: keyringText('t2'), RATE_LIMIT_COMPLETE: '0' });
    expect((await call('POST', '/v1/purchases/complete', { body: { token: json.completion_token } })).status).toBe(200);
  });

  test('a sale is stored under the current keys, though its event came under the older ones', async () => {
    const order = sampleOrder({ productId: d.own.product.id, sellerId: d.own.seller.id });
    await d.table.transact(createOrder(order));
    const event = sessionEvent(order, 'completed');
    const body = JSON.stringify(event);
    const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, webhookSecrets.platform) };
    expect((await (await d.http('payment-webhooks'))('POST', '/v1/payment/webhook', { body, headers })).status).toBe(200);
    await d.work('event-projector', jobId({ kind: 'project-event', eventId: event.id }), rotated);
    const { status, sealedBuyerEmail } = await getOrder(d.table, order.id);
    expect([status, sealedBuyerEmail?.split('.')[0]]).toEqual(['paid', 'e2']);
    const [current, older] = buyerEmailHashes('buyer@example.com', keyringOf('e2', 'e1'));
    expect((await findOrdersOfBuyer(d.table, current)).map(({ id }) => id)).toEqual([order.id]);
    expect(await findOrdersOfBuyer(d.table, older!)).toEqual([]);
  });

  test('a code that was imported before is known still, in any product of the seller', async () => {
    const code = newId('batch');
    const imports = async (environment: Environment) => {
      const form = await multipart([
        ['idempotency_key', newId('batch')],
        ['file', csv(`code\n${code}\n`)],
      ]);
      const path = `/v1/products/${d.own.csvProduct.id}/code-batches`;
      const asOwner = { 'X-User-ID': 'alice' };
      const call = await d.http('code-batches', environment);
      const { id } = (await call('POST', path, { ...form, headers: { ...form.headers, ...asOwner } })).json;
      await d.work('code-importer', jobId({ kind: 'import-codes', productId: d.own.csvProduct.id, batchId: id }), environment);
      const { status, imported_count, duplicate_count } = (await d.call('GET', `${path}/${id}`, { headers: asOwner })).json;
      return [status, imported_count, duplicate_count];
    };
    expect(await imports({})).toEqual(['completed', 1, 0]);
    expect(await imports(rotated)).toEqual(['completed', 0, 1]);
  });
});
