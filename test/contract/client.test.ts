import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compose } from '../../functions/licenses/compose.ts';
import { settingNames } from '../../functions/licenses/declaration.ts';
import { routes } from '../../functions/licenses/routes.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { serveHandlers } from '../support/http/serve-handlers.ts';
import { conformingFetch } from '../support/interface/conformance.ts';
import { issueTestLicense, keyringOf } from '../support/samples/licenses.ts';
import { sampleSettings } from '../support/samples/sample-settings.ts';

const root = join(import.meta.dirname, '..', '..');
const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: root, stdio: 'pipe', encoding: 'utf8' });

describe('the client that is generated from the description', () => {
  let server: Awaited<ReturnType<typeof serveHandlers>>;
  let client: any;
  let licensed: { product_id: string; license_key: string };

  beforeAll(async () => {
    run('npm', 'run', '--silent', 'client');
    const { table, tableName } = await createTestTable();
    const { key, license } = await issueTestLicense(table, { activationLimit: 1 });
    const settings = { ...sampleSettings(settingNames, { TABLE_NAME: tableName }), LICENSE_PEPPERS: keyringOf('1') };
    const handler = compose({ settings, logger: createLogger({}, () => undefined), table });
    server = await serveHandlers([{ handler, routes }]);
    licensed = { product_id: license.productId, license_key: key };
    const generated = await import(join(root, 'build', 'client.ts'));
    client = generated.createClient(generated.OPERATIONS, {
      serverUrl: server.baseUrl,
      errorMode: 'result',
      clientHeader: false,
      fetch: conformingFetch,
    });
  }, 120_000);

  afterAll(() => server.stop());

  test('fits the programs that are written for it', () => {
    expect(() => run('npx', 'tsc', '-p', 'infra/commands/demo')).not.toThrow();
  }, 60_000);

  test('has a type for everything that is sent and received', () => {
    expect(readFileSync(join(root, 'build', 'client.ts'), 'utf8')).not.toMatch(/^export type \w+ = unknown\b/m);
  });

  test('activates, is refused beyond the limit with a code, and validates', async () => {
    const on = () => ({ body: { ...licensed, device_fingerprint: randomBytes(8).toString('hex') } });
    expect(await client.activateLicense(on())).toMatchObject({ data: { valid: true, code: 'activated' } });
    expect(await client.activateLicense(on())).toMatchObject({ data: undefined, error: { code: 'activation_limit_exceeded' } });
    expect(await client.validateLicense({ body: licensed })).toMatchObject({ data: { valid: true, activation_count: 1 } });
  });
});
