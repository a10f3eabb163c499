import { keyringText } from '../../support/samples/licenses.ts';
import { otherBucket } from '../../support/scenes/marketplace.ts';
import { asAdmin, asOwner, type Call, countUntilLimited, d, differ, queue, shows } from './setting-effects.ts';

type Place = readonly [name: 'orders' | 'admin', path: string, headers: Record<string, string>];
const own: Place = ['orders', '/v1/orders/search', asOwner];
const all: Place = ['admin', '/v1/admin/orders/search', asAdmin];

const found = (path: string, headers: Record<string, string>, body: () => object) => async (call: Call) =>
  (await call('POST', path, { headers, body: body() })).json.items.length;

/** What the settings change by which orders are searched. */
const searchEffects = ([name, path, headers]: Place) => ({
  LICENSE_PEPPERS: shows(
    found(path, headers, () => ({ license_key: d.own.key })),
    { default: 1, [keyringText('p2')]: 0, [keyringText('p2', 'p1')]: 1 },
  ),
  RATE_LIMIT_SEARCH: (): Promise<void> => {
    let users = 0;
    const see = (call: Call) => {
      users += 1;
      const user = { ...headers, 'X-User-ID': `searcher-${name}-${users}` };
      return countUntilLimited(call, 'POST', path, { headers: user, body: { order_id: d.own.order.id } });
    };
    return differ(name, see, [
      [{ RATE_LIMIT_SEARCH: '2' }, 2],
      [{ RATE_LIMIT_SEARCH: '3' }, 3],
      [{}, 30],
      [{ RATE_LIMIT_SEARCH: '0' }, Number.POSITIVE_INFINITY],
    ]);
  },
});

const emailRequests = (): Promise<void> => {
  const path = `/v1/orders/${d.own.order.id}/buyer-email-request`;
  const see = (call: Call) => countUntilLimited(call, 'POST', path, { headers: asOwner, body: { buyer_email: 'right@example.com' } });
  return differ('orders', see, [
    [{ RATE_LIMIT_EMAIL_REQUESTS: '2' }, 2],
    [{ RATE_LIMIT_EMAIL_REQUESTS: '0' }, Number.POSITIVE_INFINITY],
  ]);
};

/** What the settings of sellers' sales change, besides those of every function for sellers. */
export const orderEffects = {
  ...searchEffects(own),
  RATE_LIMIT_EMAIL_REQUESTS: emailRequests,
  PUBLIC_BASE_URL: shows(async (call: Call) => (await call('GET', `/v1/orders/${d.own.order.id}`, { headers: asOwner })).json.manage_url, {
    'https://shop.example': 'https://shop.example/manage',
    'https://other.example': 'https://other.example/manage',
  }),
  MAIL_QUEUE_URL: queue('send-mail', (call) => call('POST', `/v1/orders/${d.own.order.id}/resend-link`, { headers: asOwner })),
  ENCRYPTION_KEYS: shows(
    found(own[1], asOwner, () => ({ buyer_email: d.own.buyerEmail })),
    { default: 1, [keyringText('e2')]: 0, [keyringText('e2', 'e1')]: 1 },
  ),
};

/** The settings with which admins search, and see files. */
export const adminDeskEffects = {
  ...searchEffects(all),
  BUCKET_NAME: shows(
    async (call: Call) => {
      const path = `/v1/admin/products/${d.own.product.id}/files/${d.own.file.id}/download-intent`;
      const { json } = await call('POST', path, { headers: asAdmin });
      return json.code ?? new URL(json.download_url).pathname.split('/')[1];
    },
    { default: 'files', [otherBucket]: otherBucket, '': 'storage_not_configured' },
  ),
};

/** Who is told to be an admin. */
export const adminRole = shows(async (call) => (await call('GET', '/v1/me', { headers: asAdmin })).json.roles, {
  default: ['admin'],
  'other@example.com': [],
  '': [],
});
