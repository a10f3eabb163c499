import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../support/http/browser.ts';
import { type StackHarness, startStackHarness } from '../../support/scenes/stack-harness.ts';

/** The local stack on which all stories take place, each with products and buyers of its own, and the browser of those who use one. */
export interface Shop {
  harness: StackHarness;
  browser: Browser | undefined;
  /** What it signs links with. */
  tokenKeys: string;
  close(): Promise<unknown>;
}

export async function openShop(withBrowser: boolean): Promise<Shop> {
  const tokenKeys = `1:${randomBytes(32).toString('base64')}`;
  const [harness, browser] = await Promise.all([
    startStackHarness({ TOKEN_KEYS: tokenKeys, RATE_LIMIT_CHECKOUT: '0', RATE_LIMIT_COMPLETE: '0' }),
    withBrowser ? launchBrowser() : undefined,
  ]);
  return { harness, browser, tokenKeys, close: () => Promise.all([browser?.close(), harness.stop()]) };
}
