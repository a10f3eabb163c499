import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { hasBrowser, launchBrowser, settled } from '../../support/http/browser.ts';
import { type ConsoleVisit, failureNotice, faultsOf, openConsole, operation as operationOf } from '../../support/http/console.ts';
import { offerProduct, type StackHarness, startStackHarness } from '../../support/scenes/stack-harness.ts';

jest.setTimeout(120_000);

(hasBrowser ? describe : describe.skip)('the discounts of a product in the console', () => {
  let browser: Browser;
  let harness: StackHarness;
  let owner: string;
  let product: string;
  let page: Page;
  let complaints: string[] = [];

  const discounts = async () => (await harness.call('GET', `/v1/products/${product}/discounts`, { as: 'seller' })).items;
  const row = (id: string) => page.locator(`tr[data-id="${id}"]`);
  const field = (name: string) => page.locator(`[name="${name}"]`);
  const text = (words: string) => page.getByText(words).first();
  const operation = (id: string, within = 'form') => operationOf(page.locator(within), id);
  const failure = (code: string) => failureNotice(page, code);
  const faults = () => faultsOf(page);
  async function open({ width = 1280, locale = 'en' }: Partial<ConsoleVisit> = {}): Promise<void> {
    await page?.context().close();
    const path = `/console/products/${product}/discounts`;
    ({ page, complaints } = await openConsole(browser, harness, { as: owner, path, width, locale }));
  }

  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchBrowser(), startStackHarness()]);
    owner = (await harness.call('GET', '/v1/me', { as: 'seller' })).user_id;
    ({ id: product } = await offerProduct(harness, { price_amount: 3200 }));
  });
  afterAll(async () => {
    await browser?.close();
    await harness?.stop();
  });
  afterEach(() => expect(complaints).toEqual([]));

  test('are none at first, and one is made of what fits its price', async () => {
    await open();
    await text('no discount yet').waitFor();
    expect(await faults()).toEqual([]);
    await field('code').fill('spring-26');
    await operation('createDiscount').click();
    await failure('invalid_request').waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain('amount off');
    await field('percent_off').fill('15');
    await field('max_redemptions').fill('100');
    await field('ends_at').fill('2001-01-31T10:00');
    await operation('createDiscount').click();
    await page.locator('[name=ends_at][aria-invalid=true]').waitFor();
    expect(await faults()).toEqual([]);
    await field('ends_at').fill('2099-01-31T10:00');
    await operation('createDiscount').click();
    await page.locator('tr[data-id]').first().waitFor();
    const [made] = await discounts();
    const endsAt: string = await page.evaluate(`new Date('2099-01-31T10:00').toISOString()`);
    expect(made).toMatchObject({ code: 'SPRING-26', percent_off: 15, max_redemptions: 100, ends_at: endsAt });
    await row(made.id).getByText('Holds').waitFor();
    expect(await field('code').inputValue()).toBe('');
  });

  test('keep their code for good, lead to their orders, and end once that is confirmed', async () => {
    const [made] = await discounts();
    await open({ locale: 'ja', width: 320 });
    await field('code').fill('Spring-26');
    await field('amount_off').fill('1');
    await operation('createDiscount').click();
    await failure('discount_code_taken').waitFor();
    expect(await faults()).toEqual([]);
    await row(made.id).getByRole('button').click();
    await operation('endDiscount', 'dialog[open]').click();
    await row(made.id).locator('.state', { hasText: '終了' }).waitFor();
    expect((await discounts())[0]).toMatchObject({ id: made.id, ended_at: expect.any(String) });
    await row(made.id).getByRole('link').click();
    await settled(page);
    expect(new URL(page.url()).search).toBe(`?discount_id=${made.id}`);
    await text('条件に合う注文はありません。').waitFor();
    expect(await faults()).toEqual([]);
  });
});
