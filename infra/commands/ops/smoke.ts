import { findFunctions } from '../../bundles/find-functions.ts';
import { UsageError } from '../command-line.ts';
import type { Command } from './command.ts';

/** What is asked, and what a deployment that works answers. */
interface Check {
  what: string;
  request: [path: string, init?: RequestInit];
  status: number;
  /** A part of the body. */
  body?: RegExp;
}

const json = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
const noLicense = { product_id: 'prd_00000000000000000000000000', license_key: 'SMOKE-TEST0-KEY00-OF000-NOBOD-Y0000' };

/** Each is refused or only read: nothing is bought, written or sent. */
const checks: readonly Check[] = [
  { what: 'runs', request: ['/healthz'], status: 200, body: /"ok"/ },
  { what: 'reaches table, files, queues and secrets', request: ['/readyz'], status: 200, body: /"ok"/ },
  {
    what: 'answers a license check',
    request: ['/v1/licenses/validate', json(noLicense)],
    status: 200,
    body: /"license_(not_found|key_malformed)"/,
  },
  { what: 'publishes its lease keys', request: ['/.well-known/jwks.json'], status: 200, body: /"kid"/ },
  { what: 'asks sellers who they are', request: ['/v1/sellers/me'], status: 401, body: /"unauthenticated"/ },
  { what: 'lets nobody else administer', request: ['/v1/admin/sellers'], status: 403, body: /"forbidden"/ },
  { what: 'refuses unsigned payment events', request: ['/v1/payment/webhook', json({})], status: 400, body: /"signature_missing"/ },
  { what: 'refuses unsigned account events', request: ['/v1/payment/connect/webhook', json({})], status: 400, body: /"signature_missing"/ },
  { what: 'has documents', request: ['/openapi.json'], status: 200, body: /"openapi":"3\.1\.0"/ },
  {
    what: 'console has its settings',
    request: ['/console/no-such-screen'],
    status: 404,
    body: /"route_not_found"/,
  },
  { what: 'knows no such path', request: ['/smoke/no-such-path'], status: 404, body: /"route_not_found"/ },
  {
    what: 'has a page for a wrong address',
    request: ['/p/smoke-no-such-product', { headers: { Accept: 'text/html' } }],
    status: 404,
    body: /<html/,
  },
];

const patienceMs = 30_000;

export const smoke: Command = {
  name: 'smoke',
  takes: '<address>',
  does: 'asks a deployment whether it works; buys nothing and changes nothing',
  async run([address, ...others]) {
    const base = URL.parse(address ?? '');
    if (base === null || !/^https?:$/.test(base.protocol) || others.length > 0) {
      throw new UsageError('smoke takes the address of a deployment, such as https://licenses.example.com.');
    }
    const outcomes = [];
    for (const check of [...checks, ...(await preflights())]) outcomes.push(await ask(base.origin, check));
    const failed = outcomes.filter((isFine) => !isFine).length;
    console.log(`${outcomes.length - failed} fine, ${failed} not`);
    if (failed > 0) process.exitCode = 1;
  },
};

/** One request to each function but the console's, which takes none: one that has not its settings or secrets cannot answer. */
async function preflights(): Promise<Check[]> {
  const functions = await findFunctions();
  return functions.flatMap(({ name, preflights: [path] }) =>
    path === undefined
      ? []
      : [{ what: `${name} has its settings`, request: [path.replaceAll(/\{\w+\}/g, 'smoke'), { method: 'OPTIONS' }], status: 204 }],
  );
}

async function ask(origin: string, { what, request: [path, init], status, body }: Check): Promise<boolean> {
  const start = performance.now();
  const answer = await fetch(origin + path, { redirect: 'manual', ...init, signal: AbortSignal.timeout(patienceMs) }).then(
    async (reply) => ({ status: String(reply.status), text: await reply.text() }),
    (error: unknown) => ({ status: `no answer (${error instanceof Error ? (error.cause ?? error) : error})`, text: '' }),
  );
  const isFine = answer.status === String(status) && (body?.test(answer.text) ?? true);
  const detail = isFine ? '' : `: ${answer.status} ${answer.text.slice(0, 200)}, instead of ${status}${body ? ` with ${body.source}` : ''}`;
  console.log(`${isFine ? 'fine' : 'NOT '}  ${String(Math.round(performance.now() - start)).padStart(5)} ms  ${what}${detail}`);
  return isFine;
}
