import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { compose } from '../../../functions/sellers/compose.ts';
import { settingNames } from '../../../functions/sellers/declaration.ts';
import { routes } from '../../../functions/sellers/routes.ts';
import type { Table } from '../../../shared/db/table.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import type { InternalReviewStatus } from '../../../shared/sellers/seller.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller, type TestReply } from '../../support/http/http-event.ts';
import { sampleSeller } from '../../support/samples/sample-seller.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createTestQueue } from '../../support/scenes/projection-harness.ts';

const application = {
  display_name: '例 Shop',
  contact_email: 'owner@example.com',
  support_email: 'help@example.com',
  site_url: 'https://shop.example.com/',
};

let table: Table;
let clock: Date;
let call: ReturnType<typeof createCaller>;
let callAdmin: ReturnType<typeof createCaller>;
beforeEach(async () => {
  ({ table } = await createTestTable());
  clock = new Date('2026-02-01T10:00:00.000Z');
  const now = () => clock;
  const common = { table, logger: createLogger({}, () => undefined), now };
  // Nothing here reaches the payment provider.
  const provider = createStripeClient({ secretKey: 'sk_test_unused', apiBase: 'http://127.0.0.1:9' });
  call = createCaller(compose({ settings: sampleSettings(settingNames), provider, ...common }), routes);
  const admin = { settings: sampleSettings(adminSettings), ...common, store: undefined, sender: createTestQueue() };
  callAdmin = createCaller(composeAdmin(admin), adminRoutes);
});

const as = (user: string, body?: unknown) => ({ headers: { 'X-User-ID': user, 'X-User-Email': `${user}@example.com` }, body });
const apply = (user = 'u1', changes = {}) => call('POST', '/v1/sellers', as(user, { ...application, ...changes }));
const me = (user = 'u1') => call('GET', '/v1/sellers/me', as(user));
const change = (user: string, body: object) => call('PATCH', '/v1/sellers/me', as(user, body));
const review = (id: string, body: object) => callAdmin('PATCH', `/v1/admin/sellers/${id}/review`, as('admin', body));
const auditOf = async (id: string) => (await callAdmin('GET', `/v1/admin/audit?target_id=${id}`, as('admin'))).json.items;
const expectError = (reply: TestReply, status: number, code: string) => expect([reply.status, reply.json?.code]).toEqual([status, code]);
async function sellerIn(status: InternalReviewStatus, ownerUserId = `user-${status}`) {
  const seller = sampleSeller({ internalReviewStatus: status, ownerUserId });
  await table.transact(addSeller(seller));
  return seller.id;
}

describe('an application', () => {
  test('keeps its place while it waits, however often it is handed in, and gets a new one from another state', async () => {
    const { id, applied_at, review_due_at } = (await apply()).json;
    clock = new Date('2026-02-02T10:00:00.000Z');
    const same = await apply();
    expect(same.json).toMatchObject({ applied_at, review_due_at, revision: 1 });
    const changed = await apply('u1', { display_name: 'Renamed' });
    expect(changed.json).toMatchObject({ applied_at, review_due_at, revision: 2 });
    const returned = await review(id, { decision: 'needs_more_info' });
    expect(returned.json).toMatchObject({ applied_at, revision: 3 });
    expect(returned.json).not.toHaveProperty('review_due_at');
    const again = await apply();
    expect(again.json).toMatchObject({ applied_at: '2026-02-02T10:00:00.000Z', review_due_at: '2026-02-05T10:00:00.000Z' });
    const [listed] = (await callAdmin('GET', '/v1/admin/sellers', as('admin'))).json.items;
    const { next_steps: _, ...shown } = again.json;
    expect(listed).toEqual(shown);
  });

  test('an older one waits since its last move, and keeps that place too', async () => {
    const { appliedAt: _, ...older } = sampleSeller({
      internalReviewStatus: 'pending_review',
      ownerUserId: 'u1',
      updatedAt: '2026-01-30T10:00:00.000Z',
    });
    await table.transact(addSeller(older));
    const before = (await me()).json;
    expect(before).toMatchObject({ applied_at: '2026-01-30T10:00:00.000Z', review_due_at: '2026-02-02T10:00:00.000Z' });
    expect((await change('u1', { support_email: 'desk@example.com' })).json).toMatchObject({ review_due_at: '2026-02-02T10:00:00.000Z' });
    expect((await apply()).json).toMatchObject({ applied_at: '2026-01-30T10:00:00.000Z', review_due_at: '2026-02-02T10:00:00.000Z' });
  });
});

describe('contacts', () => {
  test.each(['draft', 'pending_review', 'approved_limited', 'approved'] as const)(
    'are changed of one that is %s, and nothing else is',
    async (status) => {
      const id = await sellerIn(status, 'u1');
      const before = (await me()).json;
      const both = await change('u1', { contact_email: 'new@example.com', support_email: 'desk@example.com', display_name: 'Other' });
      expect([both.status, both.headers['x-ignored-fields']]).toEqual([200, 'display_name']);
      expect(both.json).toEqual({ ...before, contact_email: 'new@example.com', support_email: 'desk@example.com', revision: 2 });
      const one = await change('u1', { contact_email: 'newer@example.com', support_email: 'desk@example.com' });
      expect(one.json).toEqual({ ...both.json, contact_email: 'newer@example.com', revision: 3 });
      for (const nothing of [{}, { contact_email: 'newer@example.com' }]) expect((await change('u1', nothing)).json).toEqual(one.json);
      expect((await me()).json).toEqual(one.json);
      const audited = await auditOf(id);
      expect(audited.map(({ actor, action, before, after }: any) => [actor, action, before, after])).toEqual([
        ['u1', 'seller.update', { revision: 2 }, { revision: 3, changed: 'contact_email' }],
        ['u1', 'seller.update', { revision: 1 }, { revision: 2, changed: 'contact_email support_email' }],
      ]);
    },
  );

  test('are refused where they are none, of who is no seller, and of one that may change nothing', async () => {
    expectError(await change('u1', { contact_email: 'new@example.com' }), 404, 'seller_not_found');
    await sellerIn('approved', 'u1');
    const before = (await me()).json;
    for (const bad of ['', 'nobody', null, 1]) {
      const reply = await change('u1', { contact_email: bad, support_email: bad });
      expectError(reply, 400, 'invalid_request');
      expect(reply.json.message).toMatch(/^contact_email .*; support_email /);
    }
    expect((await me()).json).toEqual(before);
    for (const status of ['rejected', 'suspended'] as const) {
      await sellerIn(status);
      for (const body of [{ contact_email: 'new@example.com' }, {}])
        expectError(await change(`user-${status}`, body), 403, 'seller_not_eligible');
    }
  });

  test('and the number of invoices, which stays when it is left out, goes when it is empty, and is never shown empty', async () => {
    const first = await apply('u1', { invoice_registration_number: 'T1234567890123' });
    expect(first.json).toMatchObject({ invoice_registration_number: 'T1234567890123', revision: 1 });
    expect((await apply('u1', { display_name: 'Renamed' })).json).toMatchObject({
      invoice_registration_number: 'T1234567890123',
      revision: 2,
    });
    expect((await apply('u1', { display_name: 'Renamed', invoice_registration_number: '' })).json).not.toHaveProperty(
      'invoice_registration_number',
    );
    const again = await apply('u1', { display_name: 'Renamed', invoice_registration_number: 'T0000000000001' });
    expect(again.json).toMatchObject({ invoice_registration_number: 'T0000000000001', revision: 4 });
    const { id } = again.json;
    expect((await change('u1', { support_email: 'desk@example.com' })).json).toMatchObject({
      invoice_registration_number: 'T0000000000001',
    });
    const gone = await change('u1', { invoice_registration_number: '' });
    expect(gone.json).not.toHaveProperty('invoice_registration_number');
    expect((await change('u1', { invoice_registration_number: '' })).json).toEqual(gone.json);
    expect((await change('u1', { invoice_registration_number: 'T9876543210987' })).json).toMatchObject({
      invoice_registration_number: 'T9876543210987',
      revision: 7,
    });
    const audited = JSON.stringify(await auditOf(id));
    expect(audited).toContain('"changed":"invoice_registration_number"');
    expect(audited).not.toContain('T98765');
    await change('u1', { invoice_registration_number: '' });
    const other = await apply('u2', { invoice_registration_number: '' });
    for (const caller of ['u1', 'u2']) expect((await me(caller)).json).not.toHaveProperty('invoice_registration_number');
    expect(other.status).toBe(201);
  });

  test.each(['T123456789012', 'T12345678901234', 't1234567890123', '1234567890123', 'T1234567890123 ', ' ', null, 1])(
    'take no number such as %j',
    async (invoice_registration_number) => {
      await sellerIn('approved', 'u1');
      for (const reply of [await change('u1', { invoice_registration_number }), await apply('u1', { invoice_registration_number })]) {
        expectError(reply, 400, 'invalid_request');
        expect(reply.json.message).toMatch(/^invoice_registration_number /);
        if (invoice_registration_number) expect(reply.json.message).not.toContain('123456');
      }
    },
  );

  test('that fifty change at once are all changed, each counted once', async () => {
    const id = await sellerIn('approved', 'u1');
    const replies = await Promise.all(Array.from({ length: 50 }, (_, at) => change('u1', { contact_email: `owner-${at}@example.com` })));
    const done = replies.filter(({ status }) => status === 200).length;
    expect(replies.every(({ status }) => status === 200 || status === 503)).toBe(true);
    expect([(await me()).json.revision, (await auditOf(id)).length]).toEqual([1 + done, done]);
  });
});
