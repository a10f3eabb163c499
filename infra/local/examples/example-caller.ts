import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod/mini';

/** An answer that the examples did not expect. */
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

const longestWaitSeconds = 60;

export type Call = ReturnType<typeof createCall>;

/** Calls public endpoints, and waits where it is told to come again. The reply is read by its schema. */
export function createCall(address: string) {
  async function send(caller: Caller, method: string, path: string, body: unknown): Promise<Response> {
    const headers = new Headers();
    if (caller.userId !== undefined) headers.set('X-User-ID', caller.userId);
    if (caller.email !== undefined) headers.set('X-User-Email', caller.email);
    const isJson = body !== undefined && !(body instanceof FormData);
    if (isJson) headers.set('Content-Type', 'application/json');
    const init = { method, headers, ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }) };
    const reply = await fetch(new URL(path, address), init);
    const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN);
    if ((reply.status !== 429 && reply.status !== 503) || !(seconds <= longestWaitSeconds)) return reply;
    await reply.arrayBuffer();
    await sleep(seconds * 1000);
    return send(caller, method, path, body);
  }

  async function call<T>(schema: z.ZodMiniType<T>, caller: Caller, method: string, path: string, body?: unknown): Promise<T> {
    const reply = await send(caller, method, path, body);
    const text = await reply.text();
    const ignored = reply.headers.get('x-ignored-fields');
    if (ignored !== null) throw new Error(`${method} ${path} does not know ${ignored}.`);
    if (!reply.ok) throw new UnexpectedReply(reply.status, `${method} ${path} answered ${reply.status}: ${text}`);
    return z.parse(schema, text === '' ? {} : JSON.parse(text));
  }

  return {
    call,
    /** The same; undefined where there is none. */
    async find<T>(schema: z.ZodMiniType<T>, caller: Caller, path: string): Promise<T | undefined> {
      try {
        return await call(schema, caller, 'GET', path);
      } catch (error) {
        if (error instanceof UnexpectedReply && error.status === 404) return undefined;
        throw error;
      }
    },
  };
}
