import { beforeEach, describe, expect, test } from '@jest/globals';
import { compose as composeAdmin } from '../../../functions/admin/compose.ts';
import { settingNames as adminSettings } from '../../../functions/admin/env.ts';
import { routes as adminRoutes } from '../../../functions/admin/routes.ts';
import { compose } from '../../../functions/sellers/compose.ts';
import { settingNames } from '../../../functions/sellers/env.ts';
import { routes } from '../../../functions/sellers/routes.ts';
import { createLogger } from '../../../shared/logger.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { createCaller } from '../../support/http/http-event.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';

const application = {
  display_name: '例 Shop',
  contact_email: 'owner@example.com',
  support_email: 'help@example.com',
  site_url: 'https://shop.example.com/',
};
const admin = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };

describe('two accounts with one verified e-mail address are one person, who reviews nothing of their own', () => {
  let call: ReturnType<typeof createCaller>;
  let callAdmin: ReturnType<typeof createCaller>;

  beforeEach(async () => {
    const { table } = await createTestTable();
    const common = { table, logger: createLogger({}, () => {}) };
    const provider = { call: () => Promise.reject(new Error('The provider is not asked.')) };
    call = createCaller(compose({ settings: sampleSettings(settingNames), provider, ...common }), routes);
    callAdmin = createCaller(composeAdmin({ settings: sampleSettings(adminSettings), ...common }), adminRoutes);
  });

  const applyAs = (user: string, address: string | undefined) =>
    call('POST', '/v1/sellers', {
      headers: { 'X-User-ID': user, ...(address !== undefined && { 'X-User-Email': address }) },
      body: application,
    });
  const approve = async (id: string) => {
    const { status, json } = await callAdmin('PATCH', `/v1/admin/sellers/${id}/review`, { headers: admin, body: { decision: 'approve' } });
    return [status, json.code];
  };
  const own = [403, 'self_review_forbidden'];

  test.each(['admin@example.com', 'ADMIN@Example.COM'])('%s', async (address) => {
    const reply = await applyAs('other-account', address);
    expect(await approve(reply.json.id)).toEqual(own);
    expect(reply.text.toLowerCase()).not.toContain('admin@example.com');
  });

  test.each(['admin2@example.com', 'dmin@example.com', 'admin@example.co', 'adm\u0131n@example.com', undefined])(
    'but not %s',
    async (address) => {
      expect(await approve((await applyAs('other-account', address)).json.id)).toEqual([200, undefined]);
    },
  );

  test('whenever it applied with it', async () => {
    const { id } = (await applyAs('other-account', 'admin@example.com')).json;
    await applyAs('other-account', 'new@example.com');
    expect(await approve(id)).toEqual(own);
    const later = (await applyAs('third-account', undefined)).json.id;
    await applyAs('third-account', 'else@example.com');
    await applyAs('third-account', 'admin@example.com');
    await applyAs('third-account', undefined);
    expect(await approve(later)).toEqual(own);
  });

  test('and an address that a seller merely names keeps no admin away', async () => {
    const body = { ...application, contact_email: 'admin@example.com', support_email: 'admin@example.com' };
    const { id } = (await call('POST', '/v1/sellers', { headers: { 'X-User-ID': 'other-account' }, body })).json;
    expect(await approve(id)).toEqual([200, undefined]);
  });
});
