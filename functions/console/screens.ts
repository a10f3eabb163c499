/** Who works at the console: each role has a script of its own. */
export const roles = ['seller', 'admin'] as const;
export type Role = (typeof roles)[number];

/**
 * Every screen's path, as the app's router takes it: what begins with a colon is any one segment. Where two fit, the
 * first is meant. What is not here is no address of the console.
 */
export const screenPaths = {
  seller: [
    '/console',
    '/console/seller',
    '/console/products',
    '/console/products/new',
    '/console/products/:product_id',
    '/console/products/:product_id/files',
    '/console/products/:product_id/codes',
    '/console/products/:product_id/discounts',
    '/console/products/:product_id/releases',
    '/console/products/:product_id/releases/:version',
    '/console/orders',
    '/console/orders/:order_id',
    '/console/webhooks',
    '/console/webhooks/:endpoint_id',
    '/console/tokens',
  ],
  admin: [
    '/console/admin',
    '/console/admin/sellers/:seller_id',
    '/console/admin/products/:product_id',
    '/console/admin/products/:product_id/releases/:version',
    '/console/admin/orders',
    '/console/admin/orders/:order_id',
    '/console/admin/audit',
    '/console/admin/jobs',
  ],
} as const;
export type ScreenPath = (typeof screenPaths)[Role][number];

/** Where the identity provider leads back to, by whose script is to be loaded there. */
export const callbackPaths = { seller: '/console/callback', admin: '/console/admin/callback' } as const;

/** The path of the screen that is shown at this path of an address, for this role; undefined where there is none. */
export function screenAt(path: string, role: Role): ScreenPath | undefined {
  const segments = path.split('/');
  return screenPaths[role].find((screen) => {
    const pattern = screen.split('/');
    return pattern.length === segments.length && pattern.every((part, index) => fits(part, segments[index] ?? ''));
  });
}

const fits = (part: string, segment: string) => (part.startsWith(':') ? segment !== '' : part === segment);

/** Whose script a path of an address loads: that of a screen or a callback; undefined where the console has nothing. */
export const roleAt = (path: string): Role | undefined =>
  roles.find((role) => path === callbackPaths[role] || screenAt(path, role) !== undefined);
