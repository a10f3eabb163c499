import type { ProductId } from './ids.ts';

/** Where the console is; undefined while there is none. */
export const consoleUrlOf = (settings: { CONSOLE_CLIENT_ID?: string | undefined; PUBLIC_BASE_URL: string }): string | undefined =>
  settings.CONSOLE_CLIENT_ID === undefined ? undefined : `${settings.PUBLIC_BASE_URL}/console`;

/** The URLs of the console screens that sellers are sent to. */
export const consoleUrls = {
  seller: (consoleUrl: string) => `${consoleUrl}/seller`,
  product: (consoleUrl: string, productId: ProductId) => `${consoleUrl}/products/${productId}`,
  files: (consoleUrl: string, productId: ProductId) => `${consoleUrl}/products/${productId}/files`,
  release: (consoleUrl: string, productId: ProductId, version: string) =>
    `${consoleUrl}/products/${productId}/releases/${encodeURIComponent(version)}`,
};
