import * as z from 'zod/mini';
import { AppError } from '../../shared/errors.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { isLocale, preferredLocale } from '../../shared/locale.ts';
import { type Console, clientIdOf } from './console.ts';
import { roleAt } from './screens.ts';
import { shellHeaders } from './security-headers.ts';
import { renderShell } from './shell.ts';

/** What comes with a screen's address, from mails, from the provider and from links of our own, is the script's. */
const query = z.object({ lang: z.optional(z.string()) });

interface ShellRequest {
  query: z.output<typeof query>;
  headers: Record<string, string | undefined>;
}

async function shellAt(path: string, { query, headers }: ShellRequest, console: Console): Promise<Reply> {
  clientIdOf(console);
  const role = roleAt(path);
  if (role === undefined) throw new AppError('route_not_found');
  // While the issuer is away, nobody can sign in; the script then says so in words of its own.
  const signIn = await console.findIssuer().catch(() => undefined);
  const others = [signIn && new URL(signIn.tokenEndpoint).origin, console.storeOrigin];
  const locale = isLocale(query.lang) ? query.lang : preferredLocale(headers['accept-language']);
  return new Reply(renderShell({ role, locale, assets: console.assets }), {
    headers: { ...shellHeaders({ own: console.origin, others }), 'Cache-Control': 'no-store', Vary: 'Accept-Language' },
  });
}

const page = {
  method: 'GET',
  tag: 'Pages',
  audience: 'anyone',
  isSameOrigin: true,
  query,
  isQueryForeign: true,
  success: { status: 200, contentType: 'text/html; charset=utf-8' },
  errors: ['route_not_found'],
} as const;

export const showConsoleRoute = endpoint({
  ...page,
  operationId: 'showConsole',
  path: '/console',
  summary: 'The first screen of the console',
  handle: (input, console: Console) => shellAt('/console', input, console),
});

/** One route for all of them: the gateway has no room for a route for each. */
export const showScreenRoute = endpoint({
  ...page,
  operationId: 'showScreen',
  path: '/console/{path+}',
  summary: 'A screen of the console, or where the identity provider leads back to',
  handle: (input, console: Console) => shellAt(input.params.path === '' ? '/console' : `/console/${input.params.path}`, input, console),
});
