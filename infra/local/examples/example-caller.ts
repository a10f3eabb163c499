import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';

/** A reply that the examples did not expect. */
export class UnexpectedReply extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Who calls; nobody without an id. */
export interface Caller {
  userId?: string;
  email?: string | undefined;
}

export const anyone: Caller = {};

/** The stack that gets the examples. */
export interface Stack {
  /** Where the API answers. */
  address: string;
  /** Who reviews. */
  admin: Caller;
  /** Where the fake payment provider is. */
  paymentEndpoint: string;
}

const longestWaitSeconds = 60;
export const Anything = z.object({});

/** Calls a public endpoint, and waits where it is told to come again. The reply is read by its schema. */
export async function call<T>(
  at: Pick<Stack, 'address'>,
  schema: z.ZodMiniType<T>,
  caller: Caller,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const reply = await send(new URL(path, at.address), caller, method, body);
  const text = await reply.text();
  const ignored = reply.headers.get('x-ignored-fields');
  if (ignored !== null) throw new Error(`${method} ${path} does not know ${ignored}.`);
  if (!reply.ok) throw new UnexpectedReply(reply.status, `${method} ${path} answered ${reply.status}: ${text}`);
  return z.parse(schema, text === '' ? {} : JSON.parse(text));
}

async function send(url: URL, caller: Caller, method: string, body: unknown): Promise<Response> {
  const headers = new Headers();
  if (caller.userId !== undefined) headers.set('X-User-ID', caller.userId);
  if (caller.email !== undefined) headers.set('X-User-Email', caller.email);
  const isJson = body !== undefined && !(body instanceof FormData);
  if (isJson) headers.set('Content-Type', 'application/json');
  const init = { method, headers, ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }) };
  const reply = await fetch(url, init);
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
  if ((reply.status !== 429 && reply.status !== 503) || !(seconds <= longestWaitSeconds)) return reply;
  await reply.arrayBuffer();
  await sleep(seconds * 1000);
  return send(url, caller, method, body);
}

/** What is there; undefined where there is nothing. */
export async function find<T>(at: Pick<Stack, 'address'>, schema: z.ZodMiniType<T>, caller: Caller, path: string): Promise<T | undefined> {
  try {
    return await call(at, schema, caller, 'GET', path);
  } catch (error) {
    if (error instanceof UnexpectedReply && error.status === 404) return undefined;
    throw error;
  }
}

export const asAdmin = <T>(at: Stack, schema: z.ZodMiniType<T>, method: string, path: string, body?: object) =>
  call(at, schema, at.admin, method, path, body);

/** What buyers and sellers do at the payment provider. */
export const atProvider = (at: Stack, path: string, body: object) =>
  call(at, Anything, anyone, 'POST', `${at.paymentEndpoint}${path}`, body);

/** Waits for each, so that nothing goes on when one has failed. */
export async function all(works: readonly (Promise<unknown> | false | undefined)[]): Promise<void> {
  const results = await Promise.allSettled(works);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
