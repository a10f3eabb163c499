import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { hasBrowser, settled } from '../../support/http/browser.ts';
import {
  addressOf,
  api,
  complaints,
  failure,
  faults,
  field,
  go,
  inDialog,
  kept,
  open,
  operation,
  page,
  refuse,
  reload,
  rows,
  said,
  startConsole,
  stopConsole,
  text,
  watch,
} from '../../support/scenes/console/console-scene.ts';

jest.setTimeout(120_000);

(hasBrowser ? describe : describe.skip)('the webhooks of a seller in the console', () => {
  // More than ten new ones, tests and replays a minute.
  beforeAll(() => startConsole({ RATE_LIMIT_ENDPOINT_CALLS: '1000' }));
  afterAll(stopConsole);
  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  const receiver = (query = '') => addressOf(`/__local/receiver/shop${query}`);
  const endpoints = async (): Promise<any[]> => (await api('GET', '/v1/webhook-endpoints')).items;
  const secret = () => page.locator('[data-secret]');
  const type = (name: string) => page.locator(`[name=event_types][value="${name}"]`);
  const make = (body: object) => api('POST', '/v1/webhook-endpoints', body);

  test('are added once, with a secret that is shown once and kept nowhere', async () => {
    await open('/console/webhooks', { width: 360 });
    expect(await faults()).toEqual([]);
    const sent = watch('POST', /webhook-endpoints$/);
    await field('url').fill('http://shop.example/hook');
    await field('description').fill('\u202eShop\u200b <b>backend</b>');
    await type('order.paid').check();
    await type('license.issued').check();
    await operation('createWebhookEndpoint').click();
    await failure('invalid_request').waitFor();
    expect(await failure('invalid_request').locator('a').allInnerTexts()).toEqual([
      expect.stringContaining('URL must be an https URL'),
      expect.stringContaining('Description must not hold marks'),
    ]);
    // Drafts hold what was typed.
    await reload();
    await field('url').waitFor();
    expect([await field('url').inputValue(), await type('order.paid').isChecked()]).toEqual(['http://shop.example/hook', true]);
    await field('url').fill(receiver());
    await field('description').fill('Shop\u200b <b>backend</b>');
    await refuse(/webhook-endpoints$/, 503);
    await operation('createWebhookEndpoint').click();
    await failure('dependency_unavailable').waitFor();
    await operation('createWebhookEndpoint').dblclick();
    await secret().waitFor();
    await page.locator(':focus [data-secret]').waitFor();
    expect(await faults()).toEqual([]);
    const [made, ...others] = await endpoints();
    expect([made.event_types, others, sent.length]).toEqual([['license.issued', 'order.paid'], [], 3]);
    const shown = await secret().textContent();
    expect(shown).toMatch(/^whsec_/);
    expect(await kept()).not.toMatch(/whsec_|shop\.example/);
    // What cannot be seen is shown, and nothing of it is markup.
    await page.locator('td .mark').getByText('U+200B').waitFor();
    expect(await page.locator('td b').count()).toBe(0);
    await settled(page);
    expect([await field('url').inputValue(), await rows()]).toEqual(['', [made.id]]);
    await reload();
    expect(await secret().count()).toBe(0);
    expect(await page.content()).not.toContain(shown);
  });

  test('of every event are those with none ticked, and those with all', async () => {
    const made = await make({ url: receiver('?all') });
    await open(`/console/webhooks/${made.id}`);
    const sent = watch('PATCH', /webhook-endpoints/);
    expect(await page.locator('[name=event_types]:checked').count()).toBe(made.event_types.length);
    await type('test').uncheck();
    await operation('updateWebhookEndpoint').click();
    await text(/^Saved at/).waitFor();
    expect(JSON.parse(sent.at(-1) ?? '').event_types).toHaveLength(made.event_types.length - 1);
    for (const name of made.event_types) await type(name).uncheck();
    await operation('updateWebhookEndpoint').click();
    await page.locator('[name=event_types]:checked').first().waitFor();
    expect((await api('GET', `/v1/webhook-endpoints/${made.id}`)).event_types).toHaveLength(made.event_types.length);
    expect(sent).toHaveLength(2);
    expect(Object.keys(JSON.parse(sent[1] ?? ''))).toEqual(['event_types']);
  });

  test('are tried, and show by themselves how that went', async () => {
    const { id } = await make({ url: receiver('?tried'), description: 'Shop' });
    await open(`/console/webhooks/${id}`);
    await text('Nothing was sent yet.').waitFor();
    expect(await faults()).toEqual([]);
    const tests = watch('POST', /test$/);
    await operation('sendTestEvent', 'main').dblclick();
    await said(/^Send test event$/);
    await said(/^Test: Delivered$/);
    expect([tests.length, (await rows()).length]).toEqual([1, 1]);
    await text('HTTP 200').waitFor();
    const again = watch('POST', /replay$/);
    await refuse(/replay$/, 503, { 'Retry-After': '1' });
    await operation('replayEvents', 'tr').click();
    await failure('dependency_unavailable').locator('[data-action=retry]').click();
    await said(/^Send again: 1$/);
    // One event stays one, however it is tried again.
    expect(again.map((body) => Object.keys(JSON.parse(body)))).toEqual([['event_id'], ['event_id']]);
    expect(await page.locator('[data-error]').count()).toBe(0);
    await field('since').fill('2026-01-01');
    await field('event_id').fill('evt_nothing');
    await operation('replayEvents').click();
    await failure('invalid_request').waitFor();
    await field('since').fill('');
    await operation('replayEvents').click();
    await failure('event_not_found').waitFor();
    expect(await faults()).toEqual([]);
    await field('event_id').fill('');
    await operation('replayEvents').click();
    await said(/^Send again: \d+$/);
    expect(JSON.parse(again.at(-1) ?? '{}')).toEqual({});
  });

  test('tell why what was sent did not arrive', async () => {
    const { id } = await make({ url: receiver('?status=500') });
    await open(`/console/webhooks/${id}`, { locale: 'ja', width: 360 });
    await operation('sendTestEvent', 'main').click();
    await text('拒否, HTTP 500').waitFor();
    expect(await faults()).toEqual([]);
    const { id: gone } = await make({ url: receiver('?status=410') });
    await go(`/console/webhooks/${gone}`);
    await operation('sendTestEvent', 'main').click();
    await text(/^何も送信していません。/).waitFor();
    expect(await operation('sendTestEvent', 'main').isDisabled()).toBe(true);
    expect(await faults()).toEqual([]);
    await api('POST', `/v1/webhook-endpoints/${id}/delete`);
    await field('enabled').check();
    await operation('updateWebhookEndpoint').click();
    await text('有効').waitFor();
    await api('POST', `/v1/webhook-endpoints/${gone}/delete`);
  });

  test('get a new secret, and are deleted', async () => {
    const { id, secret: old } = await make({ url: receiver('?rotated') });
    await open(`/console/webhooks/${id}`);
    await page.getByRole('button', { name: 'New signing secret' }).click();
    expect(await faults()).toEqual([]);
    await operation('rotateWebhookSecret', inDialog).dblclick();
    await secret().waitFor();
    expect(await secret().textContent()).not.toBe(old);
    await page.locator(':focus [data-secret]').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await secret().count()).toBe(0);
    await page.getByRole('button', { name: 'Delete' }).click();
    await operation('deleteWebhookEndpoint', inDialog).click();
    await page.waitForURL(/webhooks$/);
    await said(/^Delete: done$/);
    await page.locator('h1:focus').getByText('Webhooks').waitFor();
    expect((await endpoints()).some((one) => one.id === id)).toBe(false);
    expect(await failure('endpoint_not_found').count()).toBe(0);
  });

  test('are five at most, and of others are none', async () => {
    for (let made = (await endpoints()).length; made < 5; made += 1) await make({ url: receiver(`?${made}`) });
    await open('/console/webhooks');
    await text('There are at most 5').waitFor();
    expect([(await rows()).length, await operation('createWebhookEndpoint').count()]).toEqual([5, 0]);
    const [id] = await rows();
    await open(`/console/webhooks/${id}`, { as: 'example-nora' });
    await failure('endpoint_not_found').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await operation('createWebhookEndpoint').waitFor();
  });
});
