import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Context } from 'aws-lambda';
import { compose } from '../../../functions/licenses/compose.ts';
import { settingNames } from '../../../functions/licenses/declaration.ts';
import { routes } from '../../../functions/licenses/routes.ts';
import { startDynamoDb } from '../../../infra/local/engines/dynamodb-engine.ts';
import { licenseKey } from '../../../shared/db/keys.ts';
import { createDynamoClient, createSdkDynamo } from '../../../shared/db/sdk-dynamo.ts';
import { createTable } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { createLogger } from '../../../shared/logger.ts';
import { httpEvent } from '../../support/http/http-event.ts';
import { keyringOf, sampleLicense } from '../../support/samples/licenses.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { percentile } from '../percentile.ts';
import { keyOfLicense, loadLicenses } from './load-licenses.ts';

const few = 1000;
const many = Number(process.env['BENCH_LICENSES'] ?? 1_000_000);
const warmUps = 500;
const samples = 3000;
const productId = newId('product');

/**
 * p50 and p99 of a validate through the handler, and of a bare, consistent GetItem of a license, of one random
 * license after another: in a table with many licenses as a ratio to one with few, in the same engine. They take turns, so that
 * whatever else the machine does meets all of them alike.
 */
export async function compareTableSizes(): Promise<Record<string, string | number>[]> {
  const folder = await mkdtemp(join(tmpdir(), 'licenses-'));
  try {
    const { file, tableNames } = await loadLicenses(folder, [few, many], { productId });
    const engine = await startDynamoDb({ file });
    try {
      const sizes = [few, many].map((size, at) => ({ size, ...operationsOn(engine.endpoint, tableNames[at] ?? '') }));
      return rowsOf(await measure(sizes));
    } finally {
      await engine.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Operations = ReturnType<typeof operationsOn>;

/** Each makes the request for the license of this number ready, so that only the work itself is timed. */
function operationsOn(endpoint: string, tableName: string) {
  const client = createDynamoClient({ endpoint });
  const settings = {
    ...sampleSettings(settingNames, { TABLE_NAME: tableName, RATE_LIMIT_UNKNOWN_KEYS: '0' }),
    LICENSE_PEPPERS: keyringOf('1'),
  };
  const handle = compose({ settings, logger: createLogger({}), table: createTable({ tableName, dynamo: createSdkDynamo(client) }) });
  return {
    getItem(index: number) {
      const { lookup } = sampleLicense({ key: keyOfLicense(index), productId }).license;
      const command = new GetItemCommand({ TableName: tableName, Key: marshall(licenseKey(lookup)), ConsistentRead: true });
      return async () => {
        if (!(await client.send(command)).Item) throw new Error('The license is not in the table.');
      };
    },
    validate(index: number) {
      const body = { product_id: productId, license_key: keyOfLicense(index) };
      const event = httpEvent(routes, 'POST', '/v1/licenses/validate', { body });
      return async () => {
        const { body: answer = '' } = await handle(event, {} as Context);
        if (!answer.includes('"valid":true')) throw new Error(`validate answered ${answer}.`);
      };
    },
  };
}

interface Measured {
  size: number;
  getItem: number[];
  validate: number[];
}

async function measure(sizes: readonly (Operations & { size: number })[]): Promise<Measured[]> {
  const measured = sizes.map((operations): [typeof operations, Measured] => [
    operations,
    { size: operations.size, getItem: [], validate: [] },
  ]);
  for (let round = 0; round < warmUps + samples; round += 1) {
    for (const [{ size, getItem, validate }, times] of measured) {
      const index = randomInt(size);
      const taken = { getItem: await timed(getItem(index)), validate: await timed(validate(index)) };
      if (round < warmUps) continue;
      times.getItem.push(taken.getItem);
      times.validate.push(taken.validate);
    }
  }
  return measured.map(([, times]) => times);
}

/** In milliseconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function rowsOf(measured: readonly Measured[]) {
  return (['getItem', 'validate'] as const).flatMap((operation) =>
    measured.map(({ size, [operation]: times }) => {
      const ratio = (share: number) => (percentile(times, share) / percentile(measured[0]?.[operation] ?? [], share)).toFixed(2);
      return {
        operation: operation === 'getItem' ? 'bare GetItem' : 'validate',
        licenses: size,
        'p50 ms': percentile(times, 0.5).toFixed(3),
        'p99 ms': percentile(times, 0.99).toFixed(3),
        'p50 ratio': ratio(0.5),
        'p99 ratio': ratio(0.99),
        target: operation === 'validate' && size !== few ? 'p50 ≤ 1.10' : '',
      };
    }),
  );
}
