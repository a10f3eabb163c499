import { beforeAll, describe, expect, test } from '@jest/globals';
import { type CatalogHarness, createCatalogHarness } from '../../support/scenes/catalog-harness.ts';

describe('two accounts with one verified e-mail address are one person, who does not review their own seller', () => {
  let catalog: CatalogHarness;
  let users = 0;
  beforeAll(async () => {
    catalog = await createCatalogHarness();
  });

  const emails = { contact_email: 'alice@example.com', support_email: 'help@example.com' };
  /** Applies once with each of these addresses of one account; what the first and an admin are told then. */
  async function approved(addresses: readonly string[], { user = `user-${++users}`, named = emails } = {}) {
    const body = { display_name: 'Alice Software', site_url: 'https://alice.example.com', ...named };
    const replies = [];
    for (const address of addresses)
      replies.push(await catalog.as({ 'X-User-ID': user, 'X-User-Email': address })('POST', '/v1/sellers', { body }));
    const path = `/v1/admin/sellers/${replies[0]?.json.id}/review`;
    const headers = { 'X-User-ID': 'the-admin', 'X-User-Email': 'admin@example.com' };
    const { status, json } = await catalog.publicCall('PATCH', path, { headers, body: { decision: 'approve' } });
    return { first: replies[0]?.text.toLowerCase(), outcome: [status, json.code] };
  }
  const own = [403, 'self_review_forbidden'];

  test.each([[['ADMIN@Example.COM']], [['admin@example.com', 'new@example.com']], [['', 'else@example.com', 'admin@example.com', '']]])(
    'whoever applied as %j',
    async (addresses) => {
      const { first, outcome } = await approved(addresses);
      expect(outcome).toEqual(own);
      expect(first).not.toContain('admin@example.com');
    },
  );

  test.each(['dmin@example.com', 'admin@example.co', 'adm\u0131n@example.com', ''])('but not whoever applied as %j', async (address) => {
    expect((await approved([address])).outcome).toEqual([200, undefined]);
  });

  test('while an address that a seller merely names keeps no admin away, and the admin’s own id does without any', async () => {
    const named = { contact_email: 'admin@example.com', support_email: 'admin@example.com' };
    expect((await approved([''], { named })).outcome).toEqual([200, undefined]);
    expect((await approved([''], { user: 'the-admin' })).outcome).toEqual(own);
  });
});
