import type { KeyObject } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { mintCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { newId } from '../../../shared/ids.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { type AddressOffice, openAddressOffice } from '../../support/scenes/address-office.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const uses = ['mail', 'redirect', 'admin'] as const;
const expired = { status: 403, json: { code: 'completion_token_expired' } };

describe('a completion token', () => {
  let office: AddressOffice;
  let order: Order;
  /** When the order was opened: a whole second, as tokens count in whole seconds. */
  let opened: number;
  beforeAll(async () => {
    office = await openAddressOffice();
    office.passTime(1000 - (office.now().getTime() % 1000));
  });
  beforeEach(async () => {
    office.passTime(24 * hours);
    opened = office.now().getTime();
    order = await office.buy('buyer@example.com');
  });

  const setTime = (after: number) => office.passTime(opened + after - office.now().getTime());
  const complete = (token: string) => office.complete({ token });
  const download = (token: string) => office.download({ token });
  const mint = (use: (typeof uses)[number], end: number) =>
    mintCompletionToken({ orderId: order.id, use, expiresAt: new Date(opened + end) }, new Date(opened), office.settings.TOKEN_KEYS);
  /** As if the payment of the order had been heard of at this moment, an hour after it. */
  async function pay(after: number): Promise<void> {
    const read = await getOrder(office.table, order.id);
    const [paidAt, paidHeardAt] = [opened + after - hours, opened + after].map((at) => new Date(at).toISOString());
    await office.table.transact([replaceOrder(read, { ...read, checkout: { paidAt, paidHeardAt } })]);
  }

  test.each(uses)('of use %s is good until it ends, and not at that very moment', async (use) => {
    await pay(0);
    const end = 10 * minutes;
    const token = await mint(use, end);
    for (const after of [0, end - 1]) {
      setTime(after);
      expect(await complete(token)).toMatchObject({ status: 200, json: { expires_at: new Date(opened + end).toISOString() } });
      expect(await download(token)).toMatchObject({ status: 404, json: { code: 'file_not_found' } });
    }
    for (const after of [end, end + 1, end + hours]) {
      setTime(after);
      for (const ask of [complete, download]) expect(await ask(token)).toMatchObject(expired);
    }
  });

  test('is read without what stands around it, and no further', async () => {
    await pay(0);
    const token = await mint('mail', hours);
    for (const behind of ['.', '...', '>', ')', ' ', '\n', '。', '.) and more.text', '%20', '&utm=x']) {
      for (const ask of [complete, download])
        expect([behind, (await ask(` ${token}${behind}`)).status]).toEqual([behind, ask === complete ? 200 : 404]);
    }
    for (const other of [`${token}.x`, `${token}..x`, `<${token}`, `${token.slice(0, token.lastIndexOf('.'))} .x`]) {
      expect([other, await complete(other)]).toMatchObject([other, { status: 400, json: { code: 'invalid_request' } }]);
    }
    expect(await complete(`${token}x`)).toMatchObject({ status: 403, json: { code: 'completion_token_invalid' } });
  });

  test('of a redirect ends a quarter of an hour after payment, and the reply says so; others are not cut short', async () => {
    await pay(0);
    const [token, ...others] = [await mint('redirect', 2 * hours), await mint('mail', 2 * hours), await mint('admin', 2 * hours)];
    setTime(15 * minutes - 1);
    const expires_at = new Date(opened + 15 * minutes).toISOString();
    expect(await complete(token)).toMatchObject({ status: 200, json: { expires_at } });
    setTime(15 * minutes);
    for (const ask of [complete, download]) expect(await ask(token)).toMatchObject(expired);
    for (const other of others) expect((await complete(other)).status).toBe(200);
  });

  test('of a redirect is not taken in the legacy form, where the others are', async () => {
    await pay(0);
    for (const use of uses) {
      const { status, json } = await office.complete({ buyer_email: 'buyer@example.com', completion_token: await mint(use, hours) });
      expect([use, status, json.code]).toEqual(use === 'redirect' ? [use, 403, 'completion_token_invalid'] : [use, 200, undefined]);
    }
  });

  test('is of this service’s making alone', async () => {
    const { TOKEN_KEYS, ENCRYPTION_KEYS, LICENSE_PEPPERS } = office.settings;
    const [key] = TOKEN_KEYS.all;
    const claims = { use: 'mail', sub: order.id, exp: Math.floor(opened / 1000) + 600 };
    const ours = { alg: 'HS256', kid: key!.version, typ: 'completion+jwt' };
    const sign = (payload: object, header: object = {}, secret: KeyObject | Uint8Array = key!.secret) =>
      new SignJWT({ ...payload }).setProtectedHeader({ ...ours, ...header }).sign(secret);
    const unsigned = Buffer.from(JSON.stringify({ ...ours, alg: 'none' })).toString('base64url');
    expect((await complete(await sign(claims))).status).toBe(200);
    for (const token of [
      ...[await sign(claims, { typ: 'JWT' }), await sign(claims, { alg: 'HS512' }), await sign(claims, { kid: '9' })],
      await sign(claims, {}, Buffer.alloc(32)),
      await sign(claims, {}, ENCRYPTION_KEYS.current.secret),
      await sign(claims, {}, LICENSE_PEPPERS.current.secret),
      `${unsigned}.${(await sign(claims)).split('.')[1]}.`,
      ...[await sign({ ...claims, use: 'other' }), await sign({ ...claims, exp: undefined }), await sign({ ...claims, sub: undefined })],
    ]) {
      expect(await complete(token)).toMatchObject({ status: 403, json: { code: 'completion_token_invalid' } });
    }
    const token = await sign({ ...claims, use: 'redirect', sub: newId('order') });
    const gone = { status: 404, json: { code: 'order_not_found' } };
    expect(await complete(token)).toMatchObject(gone);
    expect(await office.correct(order, 'any@example.com', token)).toMatchObject(gone);
  });
});
