import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { hasBrowser, settled } from '../../support/http/browser.ts';
import {
  api,
  complaints,
  failure,
  faults,
  field,
  focused,
  inDialog,
  open,
  operation,
  page,
  said,
  startConsole,
  stopConsole,
  text,
} from '../../support/scenes/console/console-scene.ts';

jest.setTimeout(120_000);

(hasBrowser ? describe : describe.skip)('the discounts of a product in the console', () => {
  let product: { id: string; currency: string; price_amount: number };
  const screen = () => `/console/products/${product.id}/discounts`;
  const discounts = async () => (await api('GET', `/v1/products/${product.id}/discounts`)).items;
  const row = (id: string) => page.locator(`tr[data-id="${id}"]`);

  beforeAll(async () => {
    await startConsole();
    const { items } = await api('GET', '/v1/products');
    product = items.find((one: typeof product) => one.price_amount > 0);
  });
  afterAll(stopConsole);
  afterEach(() => {
    expect(complaints).toEqual([]);
  });

  test('are none at first, and one is made of what fits its price', async () => {
    await open(screen());
    await text('no discount yet').waitFor();
    expect(await faults()).toEqual([]);
    await field('code').fill('spring-26');
    await operation('createDiscount').click();
    await failure('invalid_request').waitFor();
    expect(await focused()).toContain('amount off');
    await field('percent_off').fill('15');
    await field('max_redemptions').fill('100');
    await field('ends_at').fill('2001-01-31T10:00');
    await operation('createDiscount').click();
    await page.locator('[name=ends_at][aria-invalid=true]').waitFor();
    expect(await faults()).toEqual([]);
    await field('ends_at').fill('2099-01-31T10:00');
    await operation('createDiscount').click();
    await said(/New discount/);
    const [made] = await discounts();
    const endsAt: string = await page.evaluate(`new Date('2099-01-31T10:00').toISOString()`);
    expect(made).toMatchObject({ code: 'SPRING-26', percent_off: 15, max_redemptions: 100, ends_at: endsAt });
    await row(made.id).getByText('Holds').waitFor();
    expect(await field('code').inputValue()).toBe('');
  });

  test('keep their code for good, lead to their orders, and end once that is confirmed', async () => {
    const [made] = await discounts();
    await open(screen(), { locale: 'ja', width: 320 });
    await field('code').fill('Spring-26');
    await field('amount_off').fill('1');
    await operation('createDiscount').click();
    await failure('discount_code_taken').waitFor();
    expect(await faults()).toEqual([]);
    await row(made.id).getByRole('button').click();
    await operation('endDiscount', inDialog).click();
    await row(made.id).locator('.state', { hasText: '終了' }).waitFor();
    expect((await discounts())[0]).toMatchObject({ id: made.id, ended_at: expect.any(String) });
    await row(made.id).getByRole('link').click();
    await settled(page);
    expect(new URL(page.url()).search).toBe(`?discount_id=${made.id}`);
    await text('0件').waitFor();
    expect(await faults()).toEqual([]);
  });
});
