import { type Role, screenPaths } from '../../../../functions/console/screens.ts';
import { startStack } from '../stack.ts';
import { eventually } from '../stack-harness.ts';

/** The parsed body of a reply. */
type Json = any;

/** A screen of the console, with something to see, and who sees it. */
export interface ExampleScreen {
  name: string;
  as: string;
  path: string;
}

/** Who does things at the examples. */
const people = {
  seller: { 'X-User-ID': 'example-aoi', 'X-User-Email': 'aoi@example.com' },
  codesSeller: { 'X-User-ID': 'example-nora', 'X-User-Email': 'nora@example.com' },
  admin: { 'X-User-ID': 'root', 'X-User-Email': 'admin@example.com' },
};

/** What somebody signs in by. */
export const hints = { seller: 'example-aoi', codesSeller: 'example-nora', admin: 'admin@example.com' };

/** A stack with the examples on it, and with what they leave out: a webhook, an API token. */
export async function startExamples() {
  const stack = await startStack({ RATE_LIMIT_SELLER: '0' });
  const { address: baseUrl } = stack;
  const made = await fetch(`${baseUrl}/__local/examples`, { method: 'POST' });
  if (!made.ok) throw new Error(`The examples were answered with ${made.status}: ${await made.text()}`);
  /** Calls the API; fails the test where that is refused. */
  async function call(as: keyof typeof people, method: string, path: string, body?: object): Promise<Json> {
    const json = body && { 'Content-Type': 'application/json' };
    const reply = await fetch(baseUrl + path, { method, headers: { ...people[as], ...json }, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
    return reply.json();
  }
  const list = async (as: keyof typeof people, path: string): Promise<Json[]> => (await call(as, 'GET', path)).items;

  const hook = { url: `${baseUrl}/__local/receiver/shop`, event_types: ['order.paid', 'order.refunded'], description: 'Our shop' };
  const endpoint = await call('seller', 'POST', '/v1/webhook-endpoints', hook);
  await call('seller', 'POST', `/v1/webhook-endpoints/${endpoint.id}/test`);
  await call('seller', 'POST', '/v1/api-tokens', { name: 'Build machine', scopes: ['releases:write'], expires_in_days: 90 });
  const products = [...(await list('seller', '/v1/products?limit=100')), ...(await list('codesSeller', '/v1/products?limit=100'))];
  const product = (name: string): string => products.find((one) => one.name.startsWith(name)).id;
  const buyers = ['hanako@example.com', 'taro@example.com', 'emily@example.com'];
  const orders = new Map<string, string>();
  for (const email of buyers) orders.set(email, (await call('seller', 'POST', '/v1/orders/search', { buyer_email: email })).items[0].id);
  const order = (email: string): string => orders.get(email) ?? '';
  const waiting = await eventually('sellers wait', 90, async () => {
    const items = await list('admin', '/v1/admin/queue?kind=seller');
    return items.length > 0 ? items : undefined;
  });
  const app = product('そらいろ');
  const ids: Record<string, string> = {
    ':product_id': app,
    ':version': '1.2.0',
    ':order_id': order('hanako@example.com'),
    ':endpoint_id': endpoint.id,
    ':seller_id': waiting[0].target_id,
  };
  /** Every screen that there is, each with something to see. */
  const screens: ExampleScreen[] = (['seller', 'admin'] as const).flatMap((role: Role) =>
    screenPaths[role].map((pattern): ExampleScreen => {
      const path = pattern.replaceAll(/:\w+/g, (name) => ids[name] ?? name);
      if (pattern.endsWith('/codes'))
        return { name: nameOf(pattern), as: hints.codesSeller, path: `/console/products/${product('Northwind Backup')}/codes` };
      return { name: nameOf(pattern), as: hints[role], path };
    }),
  );
  /** Screens in their other states: what was rejected, suspended, refunded, empty, not there. */
  const states: ExampleScreen[] = [
    ...(['new', 'example-kai', 'example-max', 'example-mori'] as const).flatMap((as) =>
      ['', '/seller', '/products', '/orders', '/webhooks', '/tokens'].map((screen) => ({
        name: `${as.replace('example-', '')}${screen.replace('/', '-') || '-home'}`,
        as,
        path: `/console${screen}`,
      })),
    ),
    ...Object.entries({ waiting: 'かんたん議事録', rejected: 'なつかし', draft: 'はやうち' }).flatMap(([state, name]) => [
      { name: `product-${state}`, as: hints.seller, path: `/console/products/${product(name)}` },
      { name: `product-${state}-files`, as: hints.seller, path: `/console/products/${product(name)}/files` },
      { name: `admin-product-${state}`, as: hints.admin, path: `/console/admin/products/${product(name)}` },
    ]),
    ...Object.entries({ suspended: 'Northwind Mirror', edited: 'Northwind Notes', codes: 'Northwind Backup' }).flatMap(([state, name]) => [
      { name: `product-${state}`, as: hints.codesSeller, path: `/console/products/${product(name)}` },
      { name: `admin-product-${state}`, as: hints.admin, path: `/console/admin/products/${product(name)}` },
    ]),
    ...Object.entries({ refunded: 'taro@example.com', suspended: 'emily@example.com' }).flatMap(([state, email]) => [
      { name: `order-${state}`, as: hints.seller, path: `/console/orders/${order(email)}` },
      { name: `admin-order-${state}`, as: hints.admin, path: `/console/admin/orders/${order(email)}` },
    ]),
    { name: 'release-published', as: hints.seller, path: `/console/products/${app}/releases/1.1.0` },
    { name: 'product-none', as: hints.seller, path: '/console/products/prd_01M8AGAB1YEC4BZXGKQCC8946B' },
    { name: 'order-none', as: hints.seller, path: '/console/orders/ord_01M8AGAB1YEC4BZXGKQCC8946B' },
    { name: 'seller-none', as: hints.admin, path: '/console/admin/sellers/sel_01M8AGAB1YEC4BZXGKQCC8946B' },
    { name: 'wrong-role', as: hints.seller, path: '/console/admin' },
  ];
  return { baseUrl, stop: () => stack.stop(), call, screens, states };
}

const nameOf = (pattern: string) =>
  pattern
    .replace('/console', '')
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.replace(/^:|_id$/g, ''))
    .join('-') || 'home';
