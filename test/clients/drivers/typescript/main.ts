import { readFileSync } from 'node:fs';
import { argv, env } from 'node:process';
import { LicenseClient, messages, type Status, verifyLease } from '../../../../infra/documents/clients/license-client.ts';

const keys = JSON.parse(env['LICENSE_KEYS'] ?? '[]');
const client = new LicenseClient({
  baseUrl: env['LICENSE_BASE_URL'] ?? '',
  productId: env['LICENSE_PRODUCT_ID'] ?? '',
  keys,
  storage: env['LICENSE_STATE'],
  deviceLabel: env['LICENSE_DEVICE_LABEL'],
  requireLease: env['LICENSE_REQUIRE_LEASE'] === '1',
  clock: () => Date.now() / 1000 + Number(env['LICENSE_CLOCK_OFFSET'] ?? 0),
});

async function verdicts(path: string) {
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

const [command = '', argument = ''] = argv.slice(2);
const commands: Record<string, () => Promise<unknown>> = {
  vectors: () => verdicts(argument),
  messages: async () => messages,
  activate: async () => onTheWire(await client.activate(argument)),
  check: async () => onTheWire(await client.check()),
  'check-offline': async () => onTheWire(await client.checkOffline()),
  deactivate: async () => onTheWire(await client.deactivate()),
  'request-code': async () => ({ request_code: await client.makeRequestCode() }),
  'import-lease': async () => onTheWire(await client.importLease(readFileSync(argument, 'utf8'))),
};
console.log(JSON.stringify(await commands[command]?.()));
