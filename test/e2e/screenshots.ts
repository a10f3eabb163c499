/** Takes the pictures of every page that people look at before a change goes in: `node test/e2e/screenshots.ts [pattern]`. */
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { newId } from '../../shared/ids.ts';
import { startTableEngine } from '../support/engines/table-engine.ts';
import { launchBrowser } from '../support/http/browser.ts';
import { startPageServer } from '../support/http/page-server.ts';
import { issueLease, requestCodeOf } from '../support/samples/leases.ts';
import { samplePurchase } from '../support/samples/sample-purchase.ts';

const only = new RegExp(process.argv[2] ?? '');
const target = new URL('../artifacts/screenshots/', import.meta.url).pathname;
mkdirSync(target, { recursive: true });

const token = '#token=eyJ.sample.token';
const failed = (code: string) => ({ status: 403, body: { code, message: '', request_id: 'x' } });
const opened = (options: Parameters<typeof samplePurchase>[0]) => ({ status: 200, body: samplePurchase(options) });

const activate = { ja: '/activate', en: '/activate' };
async function askForFile(page: Page): Promise<void> {
  await page.locator('#license-key').fill('LIC1-7K3QD-9M2XW-4R8TB-H5JNC-V6PGA');
  await page
    .locator('#request-code')
    .fill(requestCodeOf({ p: 'prd_01KDNX4V5S8G7W9Q2M3B6T1ZRA', d: 'b1c7fd0a9e2e4c55', l: 'Plant floor', n: 'n-1' }));
  await page.locator('button[type=submit]').click();
}
const license = { id: newId('license'), productId: newId('product'), features: ['pro'], activationLimit: 3 };
const lease = issueLease(
  { kind: 'offline', days: 90, license, deviceFingerprint: 'b1c7fd0a9e2e4c55' },
  new Date('2026-02-01T00:00:00.000Z'),
);
const activated = { valid: true, code: 'activated', activation_count: 2, activation_limit: 3, lease };

interface Picture {
  path: Record<'ja' | 'en', string>;
  answer?: { status: number; body: unknown };
  /** What is done on the page before it is shown. */
  act?: (page: Page) => Promise<void>;
}

const pages: Record<string, Picture> = {
  product: { path: { ja: `/p/${encodeURIComponent('波形エディター-pro')}`, en: '/p/waveform-editor-pro' } },
  'product-long': { path: { ja: '/p/long', en: '/p/long' } },
  'product-free': { path: { ja: '/p/free', en: '/p/free' } },
  'product-not-on-sale': { path: { ja: '/p/not-on-sale', en: '/p/not-on-sale' } },
  checkout: { path: { ja: `/p/${encodeURIComponent('波形エディター-pro')}/checkout`, en: '/p/waveform-editor-pro/checkout?changed=yes' } },
  complete: { path: { ja: `/complete${token}`, en: `/complete${token}` }, answer: opened({}) },
  'complete-refunded': {
    path: { ja: `/complete${token}`, en: `/complete${token}` },
    answer: opened({ status: 'refunded', orderStatus: 'refunded' }),
  },
  'complete-issuing': { path: { ja: `/complete${token}`, en: `/complete${token}` }, answer: opened({ license: false, files: false }) },
  'complete-waiting': { path: { ja: `/complete${token}`, en: `/complete${token}` }, answer: failed('order_not_paid') },
  'complete-expired': { path: { ja: `/complete${token}`, en: `/complete${token}` }, answer: failed('completion_token_expired') },
  activate: { path: activate },
  'activate-faults': { path: activate, act: (page) => page.locator('button[type=submit]').click() },
  'activate-no-seat': { path: activate, answer: failed('activation_limit_exceeded'), act: askForFile },
  'activate-ready': { path: activate, answer: { status: 200, body: activated }, act: askForFile },
  cancelled: { path: { ja: '/checkout/cancelled?product=free', en: '/checkout/cancelled?product=free' } },
  onboarding: { path: { ja: '/onboarding/return', en: '/onboarding/return' } },
  'not-found': { path: { ja: '/p/nothing', en: '/p/nothing' } },
};

const engine = await startTableEngine();
const server = await startPageServer();
const browser = await launchBrowser();
for (const [name, { path, answer, act }] of Object.entries(pages).filter(([page]) => only.test(page))) {
  server.answerWith(() => answer ?? failed('order_not_paid'));
  for (const locale of ['ja', 'en'] as const) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ locale, colorScheme, timezoneId: 'Asia/Tokyo', reducedMotion: 'reduce' });
      const page = await context.newPage();
      for (const width of [320, 360, 768, 1280]) {
        await page.setViewportSize({ width, height: width < 700 ? 740 : 900 });
        // A page that is open already would only see its fragment change.
        await page.goto('about:blank');
        await page.goto(server.baseUrl + path[locale]);
        await page.waitForLoadState('networkidle');
        await act?.(page);
        await page.waitForLoadState('networkidle');
        const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
        if (overflow !== 0) console.log(`${name} ${locale} ${width}: ${overflow} px too wide`);
        await page.screenshot({ path: `${target}${name}-${locale}-${colorScheme}-${width}.png`, fullPage: true });
      }
      await context.close();
    }
  }
}
await browser.close();
await server.stop();
await engine.stop();
