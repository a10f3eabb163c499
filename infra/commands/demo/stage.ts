import { setTimeout as sleep } from 'node:timers/promises';
import {
  createClient,
  OPERATIONS,
  type OperationId,
  type OperationPath,
  type OperationTag,
  type Ops,
  type Result,
} from '../../../build/client.ts';
import { base } from './base.ts';

/** What tells the names of this run from those of others. */
export const story = Date.now().toString(36);

/** Calls the service in somebody's name, and shows what is sent and what comes back. */
export const callAs = (headers: Record<string, string>, fetch = tracedFetch) =>
  createClient<Ops, OperationId, OperationPath, OperationTag>(OPERATIONS, {
    serverUrl: base,
    errorMode: 'result',
    clientHeader: false,
    headers,
    fetch,
  });
const sellerHeaders = { 'X-User-ID': `demo-seller-${story}`, 'X-User-Email': 'seller@example.com' };
export const seller = callAs(sellerHeaders);
const adminHeaders = { 'X-User-ID': 'demo-admin', 'X-User-Email': process.env['ADMIN_EMAIL'] ?? 'admin@example.com' };
export const admin = callAs(adminHeaders);
/** These poll a state, and show nothing. */
export const quietAdmin = callAs(adminHeaders, globalThis.fetch);
export const quietSeller = callAs(sellerHeaders, globalThis.fetch);
export const anyone = callAs({});

/** What the story ends with, a line each. */
export const summary: string[] = [];

export function chapter(title: string): void {
  console.log(`\n\x1b[1m${title}\x1b[0m`);
}

/** `fetch` that shows what it sends and what comes back. */
export async function tracedFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(input, init);
  const target = input instanceof Request ? input.url : String(input);
  const sent = typeof init.body === 'string' ? ` ${masked(init.body)}` : '';
  console.log(`  ${init.method ?? 'GET'} ${masked(target.replace(base, ''))}${sent}`);
  console.log(`    → ${response.status} ${masked(await response.clone().text()).slice(0, 400)}`);
  if (response.status !== 429) return response;
  // Another run of the last minute took what one address may ask for.
  await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000);
  return tracedFetch(input, init);
}

/** The reply's body; throws unless the reply has the expected status. */
export async function expectBody<T>(call: Promise<Result<T, unknown>>): Promise<T> {
  const { data, error, response } = await call;
  if (data === undefined) throw new Error(`${response.url} answered ${response.status}: ${JSON.stringify(error)}`);
  return data;
}

/** What a person does at the payment provider; the fake one takes it as a request. */
export async function actAtProvider(url: string, body: object): Promise<void> {
  const response = await tracedFetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`The payment provider answered ${response.status}.`);
}

function masked(text: string): string {
  return text
    .replaceAll(/[A-Z][A-Z0-9]{0,11}(-[0-9A-Z]{5}){5}/g, (key) => `${key.slice(0, 9)}…`)
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'eyJ…')
    .replaceAll(/LAR1\.[\w-]+/g, 'LAR1.…')
    .replaceAll(/"device_fingerprint":"[\w-]{22}"/g, '"device_fingerprint":"…"')
    .replaceAll(/lst_\w{26}_[\w-]+/g, 'lst_…')
    .replaceAll(/whsec_[\w+/=]+/g, 'whsec_…')
    .replaceAll(/acctlink_\w+/g, 'acctlink_…')
    .replaceAll(/X-Amz-Signature=\w+/g, 'X-Amz-Signature=…');
}
