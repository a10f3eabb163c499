import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { checkTable } from '../../../infra/commands/ops/check/check-table.ts';
import { itemKindOf, rules } from '../../../infra/commands/ops/check/rules.ts';
import { readKeptSecrets } from '../../../infra/local/local-settings.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import * as keys from '../../../shared/db/keys.ts';
import { createTable, type Item } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { rekeyLicenses } from '../../../shared/licenses/rekeying/rekeying.ts';
import { type KeptStack, sell, sellSomeOfEach, startKeptStack } from '../../support/scenes/sold-stock.ts';
import { additions, changes, other, removals, type Which } from './planted-faults.ts';

jest.setTimeout(240_000);

let stack: KeptStack;
let scene: Awaited<ReturnType<typeof sellSomeOfEach>>;
let table: Awaited<ReturnType<KeptStack['openTable']>>;

beforeAll(async () => {
  stack = await startKeptStack();
  scene = await sellSomeOfEach(stack);
  table = await stack.openTable();
});
afterAll(() => stack.stop());

async function check(wait: () => Promise<unknown> = async () => undefined) {
  const faults: string[] = [];
  const onFault = (fault: string) => void faults.push(fault);
  const summary = await checkTable({ ...table, segments: 3, unitsPerSecond: 1e6, wait, onFault });
  return { faults: faults.sort(), summary };
}

/** What is told after this, which is taken back. */
async function faultsAfter(plant: () => Promise<unknown>, takeBack: () => Promise<unknown>): Promise<string[]> {
  await plant();
  try {
    return (await check()).faults;
  } finally {
    await takeBack();
  }
}
const putAll = (...items: Item[]) => Promise.all(items.map(table.put));
const faultsWith = (...items: Item[]) =>
  faultsAfter(
    () => putAll(...items),
    () => Promise.all(items.map(table.remove)),
  );

test('each kind of item has a rule, and is told from every other by its key', () => {
  const isKey = (made: unknown): made is keys.Key => typeof made === 'object' && made !== null && 'pk' in made && 'sk' in made;
  const functions = Object.entries(keys).flatMap(([name, make]): [string, (...ids: string[]) => unknown][] =>
    typeof make === 'function' ? [[name, make as (...ids: string[]) => unknown]] : [],
  );
  const kinds = functions.flatMap(([name, make]): [string, keys.Key][] => {
    // Some take the key, or the item, that another made.
    const made = name === 'jobIdOfKey' ? undefined : make('', '', '');
    return isKey(made) ? [[name, made]] : [];
  });
  expect(Object.keys(rules).sort()).toEqual(kinds.map(([name]) => name).sort());
  for (const [name, key] of kinds) expect(itemKindOf({ ...key })?.name).toBe(name);
});

test('nothing is wrong with what was made through the interface', async () => {
  const { faults, summary } = await check();
  expect(faults).toEqual([]);
  expect(summary.unsettled).toBe(0);
  expect([...summary.counts.values()].reduce((sum, count) => sum + count)).toBe(summary.items);
  expect(summary.counts.size).toBeGreaterThan(30);
  expect(summary.units).toBeGreaterThan(0);
});

describe('what is wrong is told, and by ids alone', () => {
  async function find(kind: string, which: Which): Promise<Item> {
    const found = (await table.readAll()).find((item) => itemKindOf(item)?.name === kind && which(item, scene.sale.licenseId));
    if (!found) throw new Error(`There is no ${kind}.`);
    return found;
  }
  const isLike = (told: string, fault: string) => new RegExp(`^${told.replaceAll('*', '\\S+').replaceAll('…', '.*')}$`).test(fault);
  function expectTold(faults: string[], ...told: string[]): void {
    expect(told.filter((wanted) => !faults.some((fault) => isLike(wanted, fault)))).toEqual([]);
    expect(faults.filter((fault) => secrets.some((secret) => fault.includes(secret)))).toEqual([]);
  }

  /** Every hash and sealed text of the table, wherever it stands. */
  let secrets: string[];
  beforeAll(async () => {
    const fields = ['lookup', 'sealedKey', 'deviceHash', 'codeHash', 'sealedCode', 'requestHash', 'contentHash'];
    const personal = ['sealedBuyerEmail', 'ownerUserId', 'sha256Hex'];
    const items = await table.readAll();
    const inFields = items.flatMap((item) => [...fields, ...personal].map((field) => String(item[field] ?? '')));
    const inKeys = items.filter((item) => ['orderOfBuyerKey', 'mailingsKey'].includes(itemKindOf(item)?.name ?? ''));
    secrets = [...inFields, ...inKeys.map(({ pk }) => String(pk).slice('BUYER#'.length))].filter((text) => text.length > 8);
  });

  test.each(removals)('%s is gone (%#)', async (kind, which, ...told) => {
    const item = await find(kind, which);
    const faults = await faultsAfter(
      () => table.remove(item),
      () => table.put(item),
    );
    expectTold(faults, ...told);
  });

  test.each(changes)('%s is another (%#)', async (kind, which, change, told) => {
    const item = await find(kind, which);
    const faults = await faultsAfter(
      () => table.put(change(item)),
      () => table.put(item),
    );
    expectTold(faults, told);
  });

  test('what has no place', async () => {
    const faults = await faultsWith(...additions.map(([item]) => item));
    expectTold(faults, ...additions.map(([, told]) => told));
  });

  test('jobs about nothing', async () => {
    const { order: orderId, product: productId } = other;
    const file = { productId, fileId: newId('file') };
    const ids = [
      jobId({ kind: 'project-event', eventId: 'evt_none' }),
      jobId({ kind: 'serve-waiting-orders', productId }),
      jobId({ kind: 'issue-license', orderId }),
      jobId({ kind: 'send-mail', orderId, mailId: 'none' }),
      jobId({ kind: 'hash-file', ...file }),
      jobId({ kind: 'scan-file', ...file }),
      jobId({ kind: 'discard-upload', ...file }),
      jobId({ kind: 'import-codes', productId, batchId: newId('batch') }),
      jobId({ kind: 'send-token-notice', sellerId: other.seller, tokenId: newId('token') }),
      jobId({ kind: 'tell-refusals', sellerId: other.seller, licenseId: other.license }),
    ];
    const progress = { state: 'waiting', attempts: 0, dueAt: 'later', createdAt: 'now' };
    const items = ids.map((id) => ({ ...keys.jobKey(id), ...keys.pendingKey(id, 'later'), ...progress, id }));
    expect(await faultsWith(...items)).toEqual(ids.map((id) => `job: ${id} is about something that is not there`).sort());
  });

  test('bytes that nobody deletes', async () => {
    const file = await find('fileKey', ({ status }) => status === 'approved');
    const job = await find('jobKey', ({ id }) => id === `discard-upload:${file['productId']}/${file['id']}`);
    const faults = await faultsAfter(
      () => Promise.all([table.put({ ...file, status: 'rejected' }), table.remove(job)]),
      () => putAll(file, job),
    );
    expectTold(faults, 'file: fil_* is of no more use, and no job deletes its bytes');
  });

  test('and nothing is once it is mended', async () => {
    expect((await check()).faults).toEqual([]);
  });
});

test('what has expired, and leads nowhere by now, is no fault', async () => {
  const request = { requestHash: 'h', bodyHash: 'b', orderId: other.order, createdAt: new Date(0).toISOString(), ttl: 1 };
  expect(await faultsWith({ ...keys.checkoutRequestKey('h'), ...request })).toEqual([]);
});

test('what changes whenever it is looked at is no fault and is counted, until it changes no more', async () => {
  const item = { pk: 'COUPON#secret', sk: 'COUPON' };
  let changes = 0;
  const change = () => table.put({ ...item, changes: changes++ });
  await change();
  const { faults, summary } = await check(change);
  let left = 3;
  const settled = await check(async () => left-- > 0 && change());
  await table.remove(item);
  expect([faults, summary.unsettled]).toEqual([[], 1]);
  expect([settled.faults.length, settled.summary.unsettled]).toEqual([1, 0]);
});

test('what a batch left unread is read', async () => {
  let left = 0;
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const asked = (args.input as { RequestItems?: Record<string, { Keys: object[] }> }).RequestItems?.[table.tableName];
        if (!commandName.startsWith('BatchGet') || !asked || asked.Keys.length < 2) return next(args);
        const rest = asked.Keys.slice(1);
        left += rest.length;
        const RequestItems = { [table.tableName]: { ...asked, Keys: asked.Keys.slice(0, 1) } };
        const result = await next({ ...args, input: { ...args.input, RequestItems } });
        Object.assign(result.output, { UnprocessedKeys: { [table.tableName]: { ...asked, Keys: rest } } });
        return result;
      },
    { step: 'initialize', name: 'leave' },
  );
  const { faults } = await check();
  table.client.middlewareStack.remove('leave');
  expect([faults, left > 10]).toEqual([[], true]);
});

test('all pages of the table and of what is asked for are read', async () => {
  const { summary: whole } = await check();
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        next(/^(Scan|Query)Command$/.test(commandName) ? { ...args, input: { ...args.input, Limit: 1 } } : args),
    { step: 'initialize', name: 'shorten' },
  );
  const { faults, summary } = await check();
  table.client.middlewareStack.remove('shorten');
  expect([faults, summary.items]).toEqual([[], whole.items]);
});

test('licenses that move to another pepper are no fault, before each step of it and after', async () => {
  const { LICENSE_PEPPERS: pepper = '', ENCRYPTION_KEYS: encryption = '' } = await readKeptSecrets(stack.folder.path);
  const faults: string[] = [];
  const opened = createTable({ tableName: table.tableName, dynamo: createSdkDynamo(table.client) });
  let [steps, later] = [0, 0];
  const transact: typeof opened.transact = async (writes) => {
    // Each step is a look at everything; the first dozen of both passes have each kind of step.
    if (steps++ < 12) faults.push(...(await check()).faults);
    return opened.transact(writes);
  };
  const stepped = { ...opened, transact };
  const c = {
    table: stepped,
    now: () => new Date(Date.now() + later),
    settings: {
      ENCRYPTION_KEYS: Keyring.parse(encryption),
      LICENSE_PEPPERS: Keyring.parse(`another:${randomBytes(32).toString('base64url')},${pepper}`),
    },
  };
  for (const minutes of [0, 2, 4]) {
    [steps, later] = [0, minutes * 60_000];
    const { failures, moved, finished } = await rekeyLicenses(c);
    expect([failures, moved + finished > 0]).toEqual([[], minutes < 4]);
    faults.push(...(await check()).faults);
  }
  expect(faults).toEqual([]);
});

test('purchases and activations that go on meanwhile are no fault', async () => {
  let over = false;
  const checks = (async () => {
    const found: string[] = [];
    for (let runs = 0; runs < 5 || !over; runs += 1) found.push(...(await check()).faults);
    return found;
  })();
  const buyers = Array.from({ length: 4 }, async () => {
    const { key } = await sell(stack.harness, scene.product.slug);
    for (const device_fingerprint of ['one', 'two', 'three']) {
      const body = { product_id: scene.product.id, license_key: key, device_fingerprint };
      await stack.harness.call('POST', '/v1/licenses/activate', { body });
      await stack.harness.call('POST', '/v1/licenses/deactivate', { body });
    }
  });
  await Promise.all(buyers);
  over = true;
  expect(await checks).toEqual([]);
});
