import { pageHeaders } from '../../shared/http/page-headers.ts';

const policyOf = (directives: readonly string[]) => ({ 'Content-Security-Policy': directives.join('; ') });

/** What every reply has that is no shell: nothing in it runs. A page of these says that something failed. */
export const staticHeaders = {
  ...pageHeaders,
  ...policyOf([
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]),
};

/** The worker compiles the hash that it runs, from bytes in its own script. A worker has the policy of its own reply, and no page's. */
export const workerHeaders = policyOf(["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'"]);

/**
 * What the shell has: everything comes from our own origin, and the app speaks with us, with the issuer's token endpoint
 * and with the store, if these are elsewhere.
 */
export function shellHeaders({ own, others }: { own: string; others: readonly (string | undefined)[] }): Record<string, string> {
  const elsewhere = others.filter((origin) => origin !== undefined && origin !== own);
  return policyOf([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob:",
    "worker-src 'self'",
    `connect-src ${[...new Set(["'self'", ...elsewhere])].join(' ')}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types console-worker',
  ]);
}
