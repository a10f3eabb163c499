import { beforeAll, describe, expect, test } from '@jest/globals';
import { productRequest } from '../../support/scenes/catalog-harness.ts';
import { openProductDesk, type ProductDesk } from '../../support/scenes/products/product-scene.ts';

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const features = ['export', 'batch'];
const labels = { export: { en: 'Export' }, batch: { ja: '一括処理' } };
const onSale = ['approved', 'published'];

const hoursAfter = (time: string, hours: number) => new Date(Date.parse(time) + hours * 3_600_000).toISOString();

let desk: ProductDesk;
beforeAll(async () => {
  desk = await openProductDesk();
});

describe('an edit of a product on sale', () => {
  test.each(onSale)('that is %s waits, and all that is live stays', async (status) => {
    const live = await desk.offered({}, status);
    const before = await desk.shown(live.slug);
    const reply = await desk.patch(live.id, { price_amount: 9900, description: 'Edits more photos.' });
    expect(reply.status).toBe(200);
    const changes = { price_amount: 9900, description: 'Edits more photos.' };
    const { updated_at } = reply.json;
    expect(reply.json).toEqual({
      ...live,
      pending: { status: 'draft', changes, updated_at },
      revision: live.revision + 1,
      updated_at: dateTime,
    });
    expect(updated_at > live.updated_at).toBe(true);
    expect(await desk.read(live.id)).toEqual(reply.json);
    expect(await desk.shown(live.slug)).toEqual(before);
  });

  test('can change every field, and names none that stays', async () => {
    const live = await desk.offered({ features, feature_labels: labels });
    const changes = {
      name: `Every Field ${live.id}`,
      description: 'Other.',
      price_amount: 0,
      currency: 'usd',
      support_email: 'other@example.com',
      refund_policy: 'Never.',
      software_operating_environment: 'Any',
      tokushoho_seller_name: 'Shop K.K.',
      tokushoho_contact: '',
      tokushoho_address: 'Tokyo',
      forbidden_category_acknowledged: true,
      license_issuance_mode: 'imported_csv',
      license_key_prefix: 'OTHER',
      activation_limit: 5,
      features: ['export'],
      feature_labels: { export: { ja: '書き出し' } },
      deactivation_allowed: false,
      offline_days: 0,
      offline_file_days: 30,
      updates_days: 0,
    };
    expect((await desk.patch(live.id, changes)).json.pending.changes).toEqual(changes);
    await desk.submit(live.id);
    const { json } = await desk.review(live.id, { decision: 'approve' });
    expect(json).toMatchObject(changes);
    expect(json).not.toHaveProperty('pending');
    for (const [name, value] of Object.entries(changes)) {
      const { id } = await desk.offered({ features, feature_labels: labels });
      const alone = name === 'features' ? { features: value, feature_labels: { export: labels.export } } : { [name]: value };
      const sent = name === 'feature_labels' ? { features: ['export', 'batch'], feature_labels: value } : { [name]: value };
      const fields = name === 'name' ? { name: `${value} alone` } : sent;
      expect((await desk.patch(id, fields)).json.pending.changes).toEqual(name === 'name' ? fields : alone);
    }
  });

  test('of nothing changes nothing, whether something is pending or not', async () => {
    const live = await desk.offered({ features, feature_labels: labels, tokushoho_contact: 'By mail.' });
    expect((await desk.patch(live.id, {})).json).toEqual(live);
    const { json: pending } = await desk.patch(live.id, { price_amount: 9900, features });
    await desk.submit(live.id);
    const waiting = await desk.read(live.id);
    expect(waiting.revision).toBe(pending.revision + 1);
    desk.catalog.takeRequestCounts();
    const again = await desk.call('PATCH', `/v1/products/${live.id}`, { body: { ...productRequest, name: live.name, price_amount: 9900 } });
    expect(again.json).toEqual(waiting);
    expect(desk.catalog.takeRequestCounts()).not.toHaveProperty('TransactWriteItems');
  });

  test('builds on what is pending: optional fields left out keep the pending value', async () => {
    const live = await desk.offered({ activation_limit: 1, features });
    await desk.patch(live.id, { activation_limit: 7, tokushoho_address: 'Tokyo', features: ['export'] });
    const { pending, activation_limit } = (await desk.patch(live.id, { description: 'Other.' })).json;
    expect(pending.changes).toEqual({ activation_limit: 7, tokushoho_address: 'Tokyo', features: ['export'], description: 'Other.' });
    expect(activation_limit).toBe(1);
    const back = await desk.patch(live.id, { activation_limit: 1 });
    expect(back.json.pending.changes).toEqual({ tokushoho_address: 'Tokyo', features: ['export'] });
  });

  test('back to what is live leaves nothing pending, in every state of the revision', async () => {
    for (const pendingStatus of ['draft', 'pending_review', 'rejected']) {
      const product = await desk.edited(pendingStatus, 'approved', { description: 'Other.' });
      const { pending: _, ...live } = product;
      const reply = await desk.patch(product.id, {});
      expect(reply.json).toEqual({ ...live, revision: product.revision + 1, updated_at: dateTime });
      expect(await desk.read(product.id)).toEqual(reply.json);
      const nothing = await desk.review(product.id, { decision: 'reject' });
      expect([nothing.status, nothing.json.code]).toEqual([400, 'invalid_state_transition']);
    }
  });

  test('says with empty labels that the labels go', async () => {
    const live = await desk.offered({ features, feature_labels: labels });
    const { json } = await desk.patch(live.id, { feature_labels: {} });
    expect(json).toMatchObject({ feature_labels: labels, pending: { changes: { feature_labels: {} } } });
    expect(Object.keys(json.pending.changes)).toEqual(['feature_labels']);
    expect((await desk.patch(live.id, {})).json).toEqual(json);
    const unlisted = await desk.patch(live.id, { features: [] });
    expect(unlisted.json.pending.changes).toEqual({ features: [], feature_labels: {} });
    await desk.submit(live.id);
    expect((await desk.review(live.id, { decision: 'approve' })).json).not.toHaveProperty('feature_labels');
    expect(await desk.shown(live.slug)).not.toHaveProperty('feature_labels');
  });

  test('is refused for a label of a feature that is not pending', async () => {
    const live = await desk.offered({ features, feature_labels: labels });
    await desk.patch(live.id, { features: ['export'] });
    const reply = await desk.patch(live.id, { feature_labels: labels });
    expect([reply.status, reply.json.message]).toEqual([400, expect.stringMatching(/^feature_labels must name only /)]);
    expect((await desk.patch(live.id, { features, feature_labels: labels })).json).not.toHaveProperty('pending');
  });
});

describe('handing in a pending revision', () => {
  test.each([['published', 'rejected']])(
    'of a product that is %s, from %s, sends it to review without its old reason',
    async (status = '', pendingStatus = '') => {
      const product = await desk.edited(pendingStatus, status);
      const reply = await desk.submit(product.id);
      const { rejection_reason: _, ...pending } = product.pending;
      expect([reply.status, reply.json]).toEqual([
        200,
        {
          ...product,
          pending: {
            ...pending,
            status: 'pending_review',
            submitted_at: reply.json.updated_at,
            review_due_at: hoursAfter(reply.json.updated_at, 72),
            updated_at: reply.json.updated_at,
          },
          revision: product.revision + 1,
          updated_at: dateTime,
        },
      ]);
      expect(reply.json.updated_at > product.updated_at).toBe(true);
    },
  );
});
