import { readFileSync } from 'node:fs';
import { argv, env, stdin } from 'node:process';
import { createInterface } from 'node:readline';

type Client = typeof import('../../../../infra/documents/clients/license-client.ts');
type Status = import('../../../../infra/documents/clients/license-client.ts').Status;

/** What the client of this module answers. */
async function answer(client: Client, [command = '', argument = '']: readonly string[], settings: NodeJS.ProcessEnv): Promise<unknown> {
  let clock = Number(settings['LICENSE_CLOCK_OFFSET'] ?? 0);
  const step = Number(settings['LICENSE_CLOCK_STEP'] ?? 0);
  const app = new client.LicenseClient({
    baseUrl: settings['LICENSE_BASE_URL'] ?? '',
    productId: settings['LICENSE_PRODUCT_ID'] ?? '',
    keys: JSON.parse(settings['LICENSE_KEYS'] ?? '[]'),
    storage: settings['LICENSE_STATE'],
    deviceLabel: settings['LICENSE_DEVICE_LABEL'],
    requireLease: settings['LICENSE_REQUIRE_LEASE'] === '1',
    allowTestKeys: settings['LICENSE_ALLOW_TEST_KEYS'] === '1',
    lookEvery: 0.01,
    clock: () => {
      clock += step;
      return Date.now() / 1000 + clock;
    },
  });
  const commands: Record<string, () => Promise<unknown>> = {
    vectors: () => verdicts(client, argument),
    messages: async () => client.messages,
    activate: async () => onTheWire(client, await app.activate(argument)),
    check: async () => onTheWire(client, await app.check()),
    'check-offline': async () => onTheWire(client, await app.checkOffline()),
    // The first two statuses. Nothing else would keep the process until then.
    watch: () =>
      new Promise((resolve) => {
        const seen: unknown[] = [];
        const waiting = setInterval(() => undefined, 1000);
        const stop = app.watch((status) => {
          if (seen.push(onTheWire(client, status)) < 2) return;
          stop();
          clearInterval(waiting);
          resolve(seen);
        });
      }),
    deactivate: async () => onTheWire(client, await app.deactivate()),
    'request-code': async () => ({ request_code: await app.makeRequestCode() }),
    'import-lease': async () => onTheWire(client, await app.importLease(readFileSync(argument, 'utf8'))),
  };
  return commands[command]?.();
}

async function verdicts({ verifyLease }: Client, path: string) {
  const file = JSON.parse(readFileSync(path, 'utf8'));
  const expected = {
    keys: file.keys,
    issuer: file.issuer,
    productId: file.product_id,
    fingerprint: file.device_fingerprint,
    now: file.now,
  };
  const results = [];
  for (const { name, lease, nonce, allow_test_keys: allowTestKeys } of file.vectors)
    results.push({ name, verdict: (await verifyLease(lease, { ...expected, nonce, allowTestKeys })).verdict });
  return results;
}

function onTheWire(client: Client, status: Status) {
  const { askOnline, expiresAt, updatesUntil: end, ...printed } = status;
  const ofUpdates = end !== undefined && { updates_until: end, covered: [client.covers(status, end), client.covers(status, end + 1)] };
  return { ...printed, expires_at: expiresAt, ask_online: askOnline, ...ofUpdates };
}

/** The client's module, as new as in a process of its own. */
const load = (copy: number): Promise<Client> => import(`../../../../infra/documents/clients/license-client.ts?copy=${copy}`);

if (argv.length > 2) console.log(JSON.stringify(await answer(await load(0), argv.slice(2), env)));
else {
  // Stays, and answers calls beside each other.
  createInterface(stdin).on('line', async (line) => {
    const call = JSON.parse(line);
    const result = await load(call.id)
      .then((client) => answer(client, call.arguments, call.env))
      .then(
        (printed) => ({ printed: JSON.stringify(printed) }),
        (error) => ({ failure: String(error) }),
      );
    console.log(JSON.stringify({ id: call.id, ...result }));
  });
}
