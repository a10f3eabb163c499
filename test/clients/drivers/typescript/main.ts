import { readFileSync } from 'node:fs';
import { argv, env, stdin } from 'node:process';
import { createInterface } from 'node:readline';

type Client = typeof import('../../../../infra/documents/clients/license-client.ts');
type Status = import('../../../../infra/documents/clients/license-client.ts').Status;

/** What the client of this module answers. */
async function answer(client: Client, [command = '', argument = '']: readonly string[], settings: NodeJS.ProcessEnv): Promise<unknown> {
  const app = new client.LicenseClient({
    baseUrl: settings['LICENSE_BASE_URL'] ?? '',
    productId: settings['LICENSE_PRODUCT_ID'] ?? '',
    keys: JSON.parse(settings['LICENSE_KEYS'] ?? '[]'),
    storage: settings['LICENSE_STATE'],
    deviceLabel: settings['LICENSE_DEVICE_LABEL'],
    requireLease: settings['LICENSE_REQUIRE_LEASE'] === '1',
    clock: () => Date.now() / 1000 + Number(settings['LICENSE_CLOCK_OFFSET'] ?? 0),
  });
  const commands: Record<string, () => Promise<unknown>> = {
    vectors: () => verdicts(client, argument),
    messages: async () => client.messages,
    activate: async () => onTheWire(await app.activate(argument)),
    check: async () => onTheWire(await app.check()),
    'check-offline': async () => onTheWire(await app.checkOffline()),
    deactivate: async () => onTheWire(await app.deactivate()),
    'request-code': async () => ({ request_code: await app.makeRequestCode() }),
    'import-lease': async () => onTheWire(await app.importLease(readFileSync(argument, 'utf8'))),
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
  for (const { name, lease, nonce } of file.vectors)
    results.push({ name, verdict: (await verifyLease(lease, { ...expected, nonce })).verdict });
  return results;
}

const onTheWire = ({ askOnline, ...status }: Status) => ({ ...status, ask_online: askOnline });

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
