import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../functions/admin/declaration.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { compose } from '../../../functions/sellers/compose.ts';
import { settingNames } from '../../../functions/sellers/declaration.ts';
import { routes } from '../../../functions/sellers/routes.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { createTestQueue } from '../../support/scenes/projection-harness.ts';

const application = {
  display_name: 'Alice Software',
  contact_email: 'alice@example.com',
  support_email: 'help@example.com',
  site_url: 'https://alice.example.com',
};

describe('two accounts with one verified e-mail address are one person, who does not review their own seller', () => {
  let callSellers: ReturnType<typeof createCaller>;
  let callAdmin: ReturnType<typeof createCaller>;

  beforeEach(async () => {
    const { table } = await createTestTable();
    const common = { table, logger: createLogger({}, () => undefined) };
    // Nothing here reaches the payment provider.
    const provider = createStripeClient({ secretKey: 'sk_test_unused', apiBase: 'http://127.0.0.1:9' });
    callSellers = createCaller(compose({ settings: sampleSettings(settingNames), provider, ...common }), routes);
    callAdmin = createCaller(
      composeAdmin({ settings: sampleSettings(adminSettings), ...common, store: undefined, sender: createTestQueue() }),
      adminRoutes,
    );
  });

  const identity = (user: string, address: string | undefined) => ({
    'X-User-ID': user,
    ...(address !== undefined && { 'X-User-Email': address }),
  });
  const applyAs = (user: string, address: string | undefined, body: object = application) =>
    callSellers('POST', '/v1/sellers', { headers: identity(user, address), body });
  const approve = async (id: string) => {
    const body = { decision: 'approve' };
    const { status, json } = await callAdmin('PATCH', `/v1/admin/sellers/${id}/review`, {
      headers: identity('admin', 'admin@example.com'),
      body,
    });
    return [status, json.code];
  };
  const own = [403, 'self_review_forbidden'];

  test.each(['admin@example.com', 'ADMIN@Example.COM'])('whoever applied as %s', async (address) => {
    const reply = await applyAs('other-account', address);
    expect(await approve(reply.json.id)).toEqual(own);
    expect(reply.text.toLowerCase()).not.toContain('admin@example.com');
  });

  test.each(['admin2@example.com', 'dmin@example.com', 'admin@example.co', 'adm\u0131n@example.com', undefined])(
    'but not whoever applied as %s',
    async (address) => {
      expect(await approve((await applyAs('other-account', address)).json.id)).toEqual([200, undefined]);
    },
  );

  test('who applied under the admin’s own id is the owner without an address too', async () => {
    const { id } = (await applyAs('admin', undefined)).json;
    expect(await approve(id)).toEqual(own);
  });

  test('whenever they applied with the address', async () => {
    const { id } = (await applyAs('other-account', 'admin@example.com')).json;
    await applyAs('other-account', 'new@example.com');
    expect(await approve(id)).toEqual(own);
    const later = (await applyAs('third-account', undefined)).json.id;
    for (const address of ['else@example.com', 'admin@example.com', undefined]) await applyAs('third-account', address);
    expect(await approve(later)).toEqual(own);
  });

  test('while an address that a seller merely names keeps no admin away', async () => {
    const named = { ...application, contact_email: 'admin@example.com', support_email: 'admin@example.com' };
    expect(await approve((await applyAs('other-account', undefined, named)).json.id)).toEqual([200, undefined]);
  });
});
