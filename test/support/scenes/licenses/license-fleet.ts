import { createServer } from 'node:http';
import { jest } from '@jest/globals';
import { compose } from '../../../../functions/licenses/compose.ts';
import { settingNames } from '../../../../functions/licenses/declaration.ts';
import { routes } from '../../../../functions/licenses/routes.ts';
import { serve } from '../../../../infra/local/engines/engine.ts';
import { startFunction } from '../../../../shared/start-function.ts';
import { createTestTable } from '../../engines/test-table.ts';
import { createCaller } from '../../http/http-event.ts';
import { keyringText } from '../../samples/licenses.ts';

const issuer = 'https://licenses.example.com';

/**
 * The licenses function as the cloud runs it: instances that started at different times, and each of which
 * reads its lease keys from the secrets store again when its own five minutes are over. Time stands still but for `pass`.
 */
export async function startLicenseFleet({ instances, keys }: { instances: number; keys: readonly string[] }) {
  let secret = keyringText(...keys);
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify({ SecretString: secret }));
  });
  const store = await serve(server);
  const { table, tableName } = await createTestTable();
  const before = { ...process.env };
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: store.endpoint,
    STAGE: 'local',
    TABLE_NAME: tableName,
    PUBLIC_BASE_URL: issuer,
    LICENSE_PEPPERS: keyringText('1'),
    TOKEN_KEYS: keyringText('1'),
    CALLER_HASH_KEY: 'the key of the callers’ names',
    LEASE_KEYS: 'arn:aws:secretsmanager:lease-keys',
  });
  // The clock alone: requests to the engine and to the store take their real time.
  jest.useFakeTimers({
    now: new Date('2026-02-01T00:00:00.000Z'),
    doNotFake: ['nextTick', 'setImmediate', 'setTimeout', 'setInterval', 'clearTimeout', 'queueMicrotask'],
  });
  const pass = (seconds: number) => jest.setSystemTime(Date.now() + seconds * 1000);

  const startInstance = () => {
    const handler = startFunction('licenses', settingNames, (settings, logger) => compose({ settings, logger, table }));
    return createCaller(handler as unknown as Parameters<typeof createCaller>[0], routes);
  };
  const fleet: ReturnType<typeof startInstance>[] = [];
  for (let started = 0; started < instances; started += 1) {
    const instance = startInstance();
    await instance('GET', '/.well-known/jwks.json');
    fleet.push(instance);
    pass(300 / instances);
  }

  return {
    issuer,
    table,
    fleet,
    pass,
    /** What an operator does: instances see it one after another, as their five minutes end. */
    storeKeys: (...versions: string[]) => {
      secret = keyringText(...versions);
    },
    async stop() {
      jest.useRealTimers();
      process.env = before;
      await store.stop();
    },
  };
}
