import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { routes } from '../../functions/docs/routes.ts';
import { accessibilityFaults, isDark, overflowOf } from '../support/http/browser.ts';
import { composeDocs } from '../support/http/docs-function.ts';
import { describeInBrowser, openWindow, page } from '../support/http/in-browser.ts';
import { serveHandler } from '../support/http/serve-handler.ts';

describeInBrowser('the reference of the endpoints', () => {
  let server: Awaited<ReturnType<typeof serveHandler>>;
  beforeAll(async () => {
    server = await serveHandler(await composeDocs(), routes);
  });
  afterAll(() => server?.stop());

  test.each([
    ['light', 320, 'Purchases', 'completePurchase'],
    ['dark', 1280, 'Products', 'listProducts'],
  ] as const)('is readable by everyone, in %s at %d pixels, with %s/%s open', async (colorScheme, width, tag, operation) => {
    await openWindow({ viewport: { width, height: 800 }, colorScheme });
    await page.goto(`${server.baseUrl}/docs#reference`);
    await page.locator(`[id="operations-tag-${tag}"]`).click();
    await page.locator(`#operations-${tag}-${operation} .opblock-summary-control`).click();
    await page.locator(`#operations-${tag}-${operation} .responses-wrapper`).waitFor();
    expect(await overflowOf(page)).toBe(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await isDark(page)).toBe(colorScheme === 'dark');
    // The colours of the system are followed when they change.
    await page.emulateMedia({ colorScheme: colorScheme === 'dark' ? 'light' : 'dark' });
    await page.locator(colorScheme === 'dark' ? 'html:not(.dark-mode)' : 'html.dark-mode').waitFor();
  });

  const referenceIn = (asked: readonly string[]) => asked.filter((path) => /^\/docs\/(reference|viewer)-|^\/openapi/.test(path)).length;

  test('loads the reference when a link leads to it, once, with nothing from elsewhere, and at once where the address names it', async () => {
    await openWindow({ viewport: { width: 1280, height: 900 } });
    const asked: string[] = [];
    const elsewhere: string[] = [];
    await page.route('**', (route) => {
      const { origin, protocol, pathname } = new URL(route.request().url());
      asked.push(pathname);
      if (origin === server.baseUrl || protocol === 'data:') return route.continue();
      elsewhere.push(route.request().url());
      return route.abort();
    });
    await page.goto(`${server.baseUrl}/docs?lang=ja#errors`, { waitUntil: 'networkidle' });
    expect([asked.length, referenceIn(asked)]).toEqual([3, 0]);
    await page.evaluate(`location.hash = 'reference'`);
    await page.locator('#viewer .opblock-tag-section').first().waitFor();
    expect(await page.getByRole('link', { name: 'エンドポイントを表示' }).isVisible()).toBe(false);
    for (const part of ['loading', 'failed']) expect(await page.locator(`[data-reference="${part}"]`).isVisible()).toBe(false);
    expect(await page.evaluate(`document.querySelector('#viewer').closest('[lang]').lang`)).toBe('en');
    await page.locator('#operations-tag-Licenses').click();
    await page.locator('#operations-Licenses-activateLicense .opblock-summary-control').click();
    await page.locator('#operations-Licenses-activateLicense .responses-wrapper').waitFor();
    expect(await page.locator('#operations-Licenses-activateLicense').textContent()).toContain('activation_limit_exceeded');
    await page.evaluate(`location.hash = 'errors'; location.hash = 'reference'`);
    await page.reload({ waitUntil: 'networkidle' });
    await page.locator('#viewer .opblock-tag-section').first().waitFor();
    expect([referenceIn(asked), elsewhere]).toEqual([6, []]);
    // What comes later leaves the section that is named where it is.
    await page.evaluate(`location.hash = 'offline'`);
    expect(Math.abs(await page.evaluate<number>(`document.querySelector('#offline').getBoundingClientRect().top`))).toBeLessThan(200);
  });

  test('offers the reference again where it could not be loaded', async () => {
    await openWindow();
    await page.route('**/docs/reference-*.js', (route) => route.abort(), { times: 1 });
    await page.goto(`${server.baseUrl}/docs#reference`);
    await page.getByText('could not be loaded').waitFor();
    await page.getByRole('link', { name: 'Show the endpoints' }).click();
    await page.locator('#viewer .opblock-tag-section').first().waitFor();
    expect(await page.getByText('could not be loaded').isVisible()).toBe(false);
  });
});
