import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { checkTable } from '../../../infra/commands/ops/check/check-table.ts';
import { kindOf, rules } from '../../../infra/commands/ops/check/rules.ts';
import { readKeptSecrets } from '../../../infra/local/local-settings.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import * as keys from '../../../shared/db/keys.ts';
import { createSdkDynamo } from '../../../shared/db/sdk-dynamo.ts';
import { createTable, type Item } from '../../../shared/db/table.ts';
import { newId } from '../../../shared/ids.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { createLicenseRepository } from '../../../shared/licenses/license-repository.ts';
import { createLicenseMoveRepository } from '../../../shared/licenses/rekeying/license-move-repository.ts';
import { createRekeying } from '../../../shared/licenses/rekeying/rekeying.ts';
import { createReplacedKeyRepository } from '../../../shared/licenses/replaced-key-repository.ts';
import { type KeptStack, sell, sellSomeOfEach, startKeptStack } from '../../support/scenes/sold-stock.ts';

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

test('each kind of item has a rule, and is told from every other by its key', () => {
  const isKey = (made: unknown): made is keys.Key => typeof made === 'object' && made !== null && 'pk' in made && 'sk' in made;
  const functions = Object.entries(keys).flatMap(([name, make]): [string, (...ids: string[]) => unknown][] =>
    typeof make === 'function' ? [[name, make as (...ids: string[]) => unknown]] : [],
  );
  const kinds = functions.flatMap(([name, make]) => {
    // Some take the key, or the item, that another made.
    const made = name === 'jobIdOfKey' ? undefined : make('', '', '');
    return isKey(made) ? [name] : [];
  });
  expect(Object.keys(rules).sort()).toEqual(kinds.sort());
  for (const [name, { sample }] of Object.entries(rules)) expect(kindOf({ ...sample })?.name).toBe(name);
});

test('nothing is wrong with what was made through the interface', async () => {
  const { faults, summary } = await check();
  expect(faults).toEqual([]);
  expect(summary.unsettled).toBe(0);
  expect([...summary.counts.values()].reduce((sum, count) => sum + count)).toBe(summary.items);
  expect(summary.counts.size).toBeGreaterThan(30);
  expect(summary.units).toBeGreaterThan(0);
});

type Change = (item: Item) => Item;
const without =
  (...names: string[]): Change =>
  (item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
const as =
  (change: Item): Change =>
  (item) => ({ ...item, ...change });
const any = () => true;
const isPaid = ({ licenseId }: Item) => licenseId !== undefined;
const isLicense = ({ activationLimit, orderId }: Item) => activationLimit !== undefined && orderId !== undefined;
const isTestKey = ({ activationLimit, orderId, revokedAt }: Item) => activationLimit !== undefined && !orderId && !revokedAt;
const isPending = ({ status }: Item) => status === 'pending';
/** A job that no worker finishes, or puts off once more, while it is another. */
const isFarOff = ({ id }: Item) => String(id).startsWith('discard-upload:');
const isActiveDevice = ({ deactivatedAt }: Item) => deactivatedAt === undefined;
const other = { order: newId('order'), license: newId('license'), seller: newId('seller'), product: newId('product') };

/** What is told where an item of a kind is removed. */
const removals: [kind: keyof typeof rules, which: (item: Item) => boolean, ...told: RegExp[]][] = [
  [
    'licenseKey',
    isLicense,
    /^order: ord_\w+ has the license lic_\w+, which is not there$/,
    /^license pointer: lic_\w+ is not where its id leads to$/,
  ],
  ['licenseKey', ({ replacedAt }) => replacedAt !== undefined, /^license: lic_\w+ had a key that is not known as replaced$/],
  [
    'licensePointerKey',
    ({ licenseId }) => licenseId === scene.sale.licenseId,
    /^license: lic_\w+ is not found by its id$/,
    /^order: ord_\w+ has the license lic_\w+, which is not there$/,
  ],
  ['licenseKey', isTestKey, /^test key: lic_\w+ is no test key of prd_\w+, which lists it as one$/],
  ['testKeyKey', any, /^license: lic_\w+ has no order, and is not among the test keys of its product$/],
  ['aliveTestKeysKey', any, /^license: lic_\w+ is a test key that is alive, and takes no place$/],
  [
    'orderKey',
    isPaid,
    /^license: lic_\w+ is of ord_\w+, which is not there$/,
    /^order of seller: ord_\w+ is in the list of sel_\w+, and is not of that seller$/,
    /^order of buyer: ord_\w+ is in the list of a buyer, and was not paid$/,
    /^mail: ord_\w+\/issuance is about an order that is not there$/,
    /^payment: pi_\w+ is of ord_\w+, which has another payment or none$/,
  ],
  ['orderKey', (item) => !isPaid(item), /^checkout request: ord_\w+ has an idempotency key, and is not there$/],
  ['orderOfSellerKey', any, /^order: ord_\w+ is not in the list of sel_\w+$/],
  ['paymentKey', any, /^order: ord_\w+ has a payment that is not its own$/],
  ['mailKey', ({ id }) => id === 'issuance', /^order: ord_\w+ has a license, and no mail that tells of it$/],
  [
    'deviceKey',
    isActiveDevice,
    /^license: lic_\w+ counts 1 seats, and has 0 active devices$/,
    /^seat: a seat is of a device that has none$/,
  ],
  [
    'sellerKey',
    any,
    /^product: prd_\w+ is of sel_\w+, which is not there$/,
    /^seller event: evt_\w+ is of sel_\w+, which is not there$/,
    /^endpoint: whe_\w+ is of sel_\w+, which is not there$/,
  ],
  ['sellerOfUserKey', any, /^seller: sel_\w+ is not found by its user$/],
  ['sellerOfAccountKey', any, /^seller: sel_\w+ is not found by its account$/],
  ['slugKey', any, /^product: prd_\w+ is not found by one of its slugs$/],
  [
    'productKey',
    any,
    /^product of seller: prd_\w+ is in the list of sel_\w+, and is not of that seller$/,
    /^slug: prd_\w+ did not reserve a slug that leads to it$/,
  ],
  ['productOfSellerKey', any, /^product: prd_\w+ is not in the list of sel_\w+$/, /^seller: sel_\w+ counts 2 products, and lists 1$/],
  [
    'fileKey',
    any,
    /^file slots: prd_\w+ lists fil_\w+ as a live file, and it is not one$/,
    /^seller storage: sel_\w+ counts \d+ bytes of files, which take \d+$/,
  ],
  [
    'batchKey',
    any,
    /^code: a code of bat_\w+ is known, and its import is not there or of another seller$/,
    /^batch request: bat_\w+ has an idempotency key, and is not there$/,
  ],
  ['batchRequestKey', any, /^batch: bat_\w+ is not found by its idempotency key$/],
  ['codeStockKey', any, /^codes: prd_\w+ has 3 imported codes, of which 1 are in stock, 1 sold and 0 set aside$/],
  ['codeKey', any, /^codes: bat_\w+ imported 3 codes, of which 2 are known$/],
  [
    'endpointKey',
    any,
    /^endpoint count: sel_\w+ counts 2 endpoints, and has 1$/,
    /^delivery: evt_\w+ to whe_\w+ goes to an endpoint that never was$/,
  ],
  ['endpointCountKey', any, /^endpoint: whe_\w+ is of sel_\w+, which counts no endpoints$/],
  ['deliveryKey', isPending, /^due delivery: evt_\w+ to whe_\w+ is among the due ones at a time at which it is not$/],
  ['dueDeliveryKey', any, /^delivery: evt_\w+ to whe_\w+ is pending, and is not among the due ones$/],
];

/** What is about people, or is made by anybody, does not stay. */
const forgotten = ['mailingsKey', 'mailingRequestKey', 'checkoutRequestKey', 'rateLimitKey', 'webhookEventKey'] as const;

const changes: [kind: keyof typeof rules, which: (item: Item) => boolean, change: Change, told: RegExp][] = [
  ...forgotten.map((kind) => [kind, any, without('ttl'), /: .*ttl/] as [typeof kind, typeof any, Change, RegExp]),
  ['orderKey', isPaid, without('licenseId'), /^order: ord_\w+ was paid, and has no license$/],
  ['orderKey', isPaid, without('licenseId'), /^license: lic_\w+ is of ord_\w+, which has no license$/],
  ['orderKey', isPaid, as({ licenseId: other.license }), /^license: lic_\w+ is of ord_\w+, which has lic_\w+$/],
  ['orderKey', isPaid, as({ checkout: {} }), /^order: ord_\w+ has the license lic_\w+, and was not paid$/],
  ['orderKey', isPaid, without('listPk', 'listSk'), /^order: ord_\w+ is not in its place in the list orders$/],
  ['orderKey', isPaid, as({ listSk: 'elsewhere' }), /^order: ord_\w+ is not in its place in the list orders$/],
  ['orderKey', isPaid, without('amount'), /^order: ord_\w+ cannot be read: amount$/],
  ['orderKey', isPaid, as({ completionMailId: 'none' }), /^order: ord_\w+ has a completion mail that is not there$/],
  ['orderKey', isPaid, as({ pendingPk: 'x', pendingSk: 'y' }), /^order: ord_\w+ is among the pending jobs, and is none$/],
  ['orderOfSellerKey', any, as({ ttl: 99_999_999_999 }), /^order: ord_\w+ was paid, and its place in the list of sel_\w+ expires$/],
  ['orderOfSellerKey', any, as({ id: other.order }), /^order of seller: ord_\w+ is under a key that is not its own$/],
  ['licenseKey', isLicense, as({ orderId: other.order }), /^order: ord_\w+ has the license lic_\w+, which is of another order$/],
  ['licenseKey', isLicense, as({ productId: other.product }), /^license: lic_\w+ is of ord_\w+, which is of another product or seller$/],
  [
    'licenseKey',
    isTestKey,
    as({ revokedAt: '2026-01-31T09:00:00.000Z' }),
    /^license: lic_\w+ is a test key that ended, and takes a place still$/,
  ],
  [
    'aliveTestKeysKey',
    any,
    as({ alive: { [other.license]: '' } }),
    /^alive test keys: prd_\w+ has a place for lic_\w+, which is no test key of it$/,
  ],
  ['licenseKey', isLicense, as({ activationCount: 7 }), /^license: lic_\w+ counts 7 seats, and has \d active devices$/],
  ['licenseKey', isLicense, as({ movingFrom: 'x.y' }), /^license: lic_\w+ moves from elsewhere than its id says$/],
  ['licenseKey', isLicense, as({ movedTo: 'x.y' }), /^license: lic_\w+ has an old copy, and does not move from there$/],
  ['licenseKey', isLicense, without('sealedKey'), /^license: lic_\w+ cannot be read/],
  ['licensePointerKey', any, without('listPk', 'listSk'), /^license pointer: lic_\w+ is not in its place in the list licenses$/],
  ['seatKey', any, as({ activatedAt: '2020-01-31T12:00:00.000Z' }), /^seat: a seat is of a device that has none$/],
  ['deviceKey', isActiveDevice, as({ lookup: 'x.y' }), /^device: a device of lic_\w+ names another license$/],
  ['deviceKey', isActiveDevice, as({ movedTo: 'x.y' }), /^device: a device of lic_\w+ was moved, and is not where it was moved to$/],
  [
    'licenseKey',
    ({ activationCount }) => activationCount === 1,
    as({ activationCount: 0 }),
    /^license: lic_\w+ counts 0 seats, and has 1 active devices$/,
  ],
  ['endpointCountKey', any, as({ endpointCount: 1 }), /^endpoint count: sel_\w+ counts 1 endpoints, and has 2$/],
  ['sellerKey', ({ productCount }) => productCount === 2, as({ productCount: 1 }), /^seller: sel_\w+ counts 1 products, and lists 2$/],
  ['sellerStorageKey', any, as({ heldBytes: 9e9 }), /^seller storage: sel_\w+ counts 9000000000 bytes of files, which take \d+$/],
  ['slugKey', any, as({ sellerId: other.seller }), /^slug: prd_\w+ is not of sel_\w+, as one of its slugs says$/],
  ['productKey', any, as({ slug: 'another' }), /^product: prd_\w+ has a slug that it did not reserve$/],
  ['sellerStorageKey', any, as({ heldBytes: 1 }), /^seller storage: sel_\w+ counts 1 bytes of files, which take \d+$/],
  [
    'fileSlotsKey',
    ({ liveFiles }) => Object.keys(liveFiles ?? {}).length > 0,
    as({ liveFiles: {} }),
    /^file: fil_\w+ is live, and prd_\w+ does not list it$/,
  ],
  ['fileKey', ({ status }) => status === 'approved', as({ status: 'disabled' }), /^file: fil_\w+ is not in its place in the list files$/],
  ['batchKey', any, as({ importedCount: 2 }), /^batch: bat_\w+ is completed, and handled 2 of 3 codes$/],
  ['batchKey', any, as({ status: 'processing' }), /^batch: bat_\w+ is to be imported, and no job does it$/],
  ['codeStockKey', any, as({ batchId: newId('batch') }), /^code stock: a code of bat_\w+ is in stock, and is not known as imported$/],
  ['mailKey', any, as({ state: 'pending' }), /^mail: ord_\w+\/\w+ is to be sent, and no job sends it$/],
  [
    'webhookEventKey',
    ({ projectedAt }) => projectedAt !== undefined,
    without('projectedAt'),
    /^webhook event: evt_\w+ was not projected, and no job does it$/,
  ],
  ['chargeKey', any, as({ paymentIntentId: 'pi_none' }), /^charge: ch_\w+ is of pi_none, which is not there$/],
  ['jobKey', isFarOff, as({ pendingSk: 'never' }), /^job: [\w:/-]+ is not in its place among the pending jobs$/],
  ['jobKey', isFarOff, as({ attempts: 'many' }), /^job: [\w:/-]+ is a job that cannot be read$/],
  [
    'deliveryKey',
    isPending,
    as({ status: 'delivered' }),
    /^delivery: evt_\w+ to whe_\w+ is delivered, and says otherwise of its next attempt$/,
  ],
  ['auditKey', any, without('listPk', 'listSk'), /^audit: aud_\w+ is not in its place in the list audit$/],
  ['buyerMovesKey', any, as({ licenseId: other.license }), /^buyer moves: lic_\w+ is under a key that is not its own$/],
];

/** What has no place among what was made. */
const additions: [item: Item, told: RegExp][] = [
  [{ pk: 'COUPON#secret', sk: 'COUPON' }, /^an item of a kind that is not known: COUPON COUPON$/],
  [{ pk: 'secret', sk: 'secret' }, /^an item of a kind that is not known: without a name without a name$/],
  [
    { ...keys.deviceKey('no.license', 'Z'), lookup: 'no.license', deviceHash: 'Z', activatedAt: new Date().toISOString() },
    /^device: a device is of a license that is not there$/,
  ],
  [
    { ...keys.waitingOrderKey(other.product, 'now', other.order), orderId: other.order },
    /^waiting order: ord_\w+ waits for a code of prd_\w+, and says otherwise$/,
  ],
  [
    { ...keys.buyerMovesKey(other.license), licenseId: other.license, releasedAt: [], revision: 1 },
    /^buyer moves: lic_\w+ was moved by its buyer, and is not there$/,
  ],
  [{ ...keys.codeHashSecretKey(other.seller), sealedSecret: 's' }, /^code hash secret: sel_\w+ has a secret for codes, and is not there$/],
  [{ ...keys.replayKey(newId('endpoint')), askedAt: new Date().toISOString() }, /^replay: whe_\w+ is to get events again, and never was$/],
  [
    {
      ...keys.activationTallyKey(other.seller, other.license),
      licenseId: other.license,
      toldAt: [],
      suppressed: 0,
      refusals: 1,
      revision: 1,
    },
    /^activation tally: lic_\w+ has refusals that nobody tells$/,
  ],
  [
    { ...keys.sellerOfAccountKey('acct_none'), sellerId: other.seller },
    /^seller of account: sel_\w+ does not have the account that leads to it$/,
  ],
  [
    { ...keys.sellerOfUserKey('nobody'), sellerId: other.seller },
    /^seller of user: sel_\w+ is not the seller of the user who leads to it$/,
  ],
  [
    {
      ...keys.licenseKey('x.y'),
      id: other.license,
      lookup: 'x.y',
      productId: other.product,
      sealedKey: 's',
      replacedAt: new Date().toISOString(),
    },
    /^license: lic_\w+ had a key before, and is not there$/,
  ],
];

describe('what is wrong is told, and by ids alone', () => {
  async function find(kind: string, which: (item: Item) => boolean): Promise<Item> {
    const found = (await table.readAll()).find((item) => kindOf(item)?.name === kind && which(item));
    if (!found) throw new Error(`There is no ${kind}.`);
    return found;
  }
  async function expectTold(...told: RegExp[]): Promise<void> {
    const { faults } = await check();
    expect(told.filter((fault) => !faults.some((given) => fault.test(given)))).toEqual([]);
    for (const secret of await secrets()) expect(faults.filter((fault) => fault.includes(secret))).toEqual([]);
  }

  /** Every hash and sealed text of the table, wherever it stands. */
  async function secrets(): Promise<string[]> {
    const fields = [
      'lookup',
      'sealedKey',
      'deviceHash',
      'codeHash',
      'sealedCode',
      'requestHash',
      'contentHash',
      'sealedBuyerEmail',
      'ownerUserId',
    ];
    const items = await table.readAll();
    const inFields = items.flatMap((item) => fields.flatMap((field) => (typeof item[field] === 'string' ? [String(item[field])] : [])));
    const inKeys = items.filter((item) => ['orderOfBuyerKey', 'mailingsKey'].includes(kindOf(item)?.name ?? ''));
    return [...inFields, ...inKeys.map(({ pk }) => String(pk).slice('BUYER#'.length))].filter((text) => text.length > 8);
  }

  test.each(removals)('%s is gone (%#)', async (kind, which, ...told) => {
    const item = await find(kind, which);
    await table.remove(item);
    await expectTold(...told).finally(() => table.put(item));
  });

  test.each(changes)('%s is another (%#)', async (kind, which, change, told) => {
    const item = await find(kind, which);
    await table.put(change(item));
    await expectTold(told).finally(() => table.put(item));
  });

  test('what has no place', async () => {
    const items = additions.map(([item]) => item);
    await Promise.all(items.map(table.put));
    try {
      await expectTold(...additions.map(([, told]) => told));
    } finally {
      await Promise.all(items.map(table.remove));
    }
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
      jobId({ kind: 'tell-refusals', sellerId: other.seller, licenseId: other.license }),
    ];
    const progress = { state: 'waiting', attempts: 0, dueAt: 'later', createdAt: 'now' };
    const items = ids.map((id) => ({ ...keys.jobKey(id), ...keys.pendingKey(id, 'later'), ...progress, id }));
    await Promise.all(items.map(table.put));
    const { faults } = await check();
    await Promise.all(items.map(table.remove));
    expect(faults).toEqual(ids.map((id) => `job: ${id} is about something that is not there`).sort());
  });

  test('bytes that nobody deletes', async () => {
    const file = await find('fileKey', ({ status }) => status === 'approved');
    const job = await find('jobKey', ({ id }) => id === `discard-upload:${file['productId']}/${file['id']}`);
    await Promise.all([table.put({ ...file, status: 'rejected' }), table.remove(job)]);
    try {
      await expectTold(/^file: fil_\w+ is of no more use, and no job deletes its bytes$/);
    } finally {
      await Promise.all([table.put(file), table.put(job)]);
    }
  });

  test('and nothing is once it is mended', async () => {
    expect((await check()).faults).toEqual([]);
  });
});

test('what has expired, and leads nowhere by now, is no fault', async () => {
  const item = {
    ...keys.checkoutRequestKey('h'),
    requestHash: 'h',
    bodyHash: 'b',
    orderId: other.order,
    createdAt: new Date(0).toISOString(),
    ttl: 1,
  };
  await table.put(item);
  expect((await check()).faults).toEqual([]);
  await table.remove(item);
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
  const rekeying = createRekeying({
    table: stepped,
    licenses: createLicenseRepository({ table: stepped }),
    moves: createLicenseMoveRepository({ table: stepped }),
    replacedKeys: createReplacedKeyRepository({ table: stepped }),
    peppers: Keyring.parse(`another:${randomBytes(32).toString('base64url')},${pepper}`),
    encryptionKeys: Keyring.parse(encryption),
    now: () => new Date(Date.now() + later),
  });
  for (const minutes of [0, 2, 4]) {
    [steps, later] = [0, minutes * 60_000];
    const { failures, moved, finished } = await rekeying.rekeyLicenses();
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
