import { operations } from 'console:operations';
import type { Ops, Result } from '../../../../build/client.ts';
import { bearer, reportRejectedBearer } from '../session/session.ts';
import { ApiFailure, codeOfStatus } from './failure.ts';

export type OperationId = keyof Ops;
export type ArgsOf<Id extends OperationId> = Ops[Id]['args'];
/** The body of the reply that the operation gives when it succeeds. */
export type BodyOf<Id extends OperationId> = Ops[Id]['result'] extends Result<infer Body, unknown> ? Body : never;

/** What every operation may take; which does, `ArgsOf` says. */
interface Given {
  path?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

/** Longer than the gateway waits for a function. */
const timeoutMs = 35_000;

/**
 * Calls an operation of the interface in the name of who is signed in.
 *
 * @throws ApiFailure whatever went wrong
 */
export async function call<Id extends OperationId>(
  id: Id,
  args: ArgsOf<Id>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<BodyOf<Id>> {
  const [method = '', template = ''] = operations[id] ?? [];
  const given: Given = args;
  const send = (token: string) =>
    reach(addressOf(template, given), {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        'Accept-Language': LANGUAGE,
        ...(isJson(given.body) && { 'Content-Type': 'application/json' }),
      },
      ...(given.body !== undefined && { body: given.body instanceof FormData ? given.body : JSON.stringify(given.body) }),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])]),
    });
  const token = await presentBearer();
  let reply = await send(token);
  if (reply.response.status === 401 || (ROLE === 'admin' && reply.body?.code === 'forbidden' && (await isRefused(token)))) {
    // Nothing was done for it. A token that ended early may have a successor.
    reportRejectedBearer(token);
    const next = await presentBearer();
    if (next === token) throw new ApiFailure({ code: 'issuer_unreachable', status: 503 });
    reply = await send(next);
  }
  const { response, body } = reply;
  if (response.ok) return body;
  throw new ApiFailure({
    code: String(body?.code ?? codeOfStatus(response.status)),
    status: response.status,
    message: String(body?.message ?? ''),
    requestId: String(body?.request_id ?? ''),
    retryAfterSeconds: Number(response.headers.get('Retry-After')) || 0,
  });
}

let asking: Promise<boolean> | undefined;

/** Admins' endpoints forbid whomever they do not know, and so do not say whether it is the token that is over: another one does. */
function isRefused(token: string): Promise<boolean> {
  asking ??= reach('/v1/me', { headers: { Authorization: `Bearer ${token}` } })
    .then(({ response }) => response.status === 401)
    .finally(() => {
      asking = undefined;
    });
  return asking;
}

async function presentBearer(): Promise<string> {
  const token = await bearer();
  if (token === undefined) throw new ApiFailure({ code: 'unauthenticated', status: 401 });
  return token;
}

const isJson = (body: unknown) => body !== undefined && !(body instanceof FormData);

function addressOf(template: string, { path = {}, query = {} }: Given): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return asked.length === 0 ? filled : `${filled}?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`;
}

/** The reply with all of its body: one that breaks off is none. */
async function reach(address: string, init: RequestInit) {
  try {
    const response = await fetch(address, init);
    return { response, body: parsed(await response.text()) };
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiFailure({ code: 'offline' });
  }
}

/** Gateways answer in texts of their own. */
function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
