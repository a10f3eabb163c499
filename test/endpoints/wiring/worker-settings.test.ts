import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SettingName } from '../../../shared/config.ts';
import { sealText } from '../../../shared/crypto/sealed-text.ts';
import { endpointKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import type { JobKind, JobTask } from '../../../shared/jobs/job.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import { createOrder } from '../../../shared/orders/order-repository.ts';
import { getFile } from '../../../shared/product-files/product-file-repository.ts';
import { type QueueSetting, queueOfJob, queueSettings } from '../../../shared/queue/messages.ts';
import { keepSellerEvent } from '../../../shared/seller-events/seller-event-repository.ts';
import { addDelivery, listDeliveries } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { testBucket } from '../../support/engines/test-object-store.ts';
import { allFunctions } from '../../support/http/service.ts';
import { sampleTasks } from '../../support/samples/job-tasks.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { sessionEvent, sign } from '../../support/samples/provider-events.ts';
import { startRecorder } from '../../support/scenes/deployment.ts';
import {
  installer,
  type Market,
  type Marketplace,
  openMarketplace,
  sha256,
  startMarket,
  webhookSecrets,
} from '../../support/scenes/marketplace.ts';
import { sampleOrder, toSqsEvent } from '../../support/scenes/projection-harness.ts';

/** The worker of each queue. */
const workerOf: Record<QueueSetting, string> = {
  WEBHOOK_QUEUE_URL: 'event-projector',
  MAIL_QUEUE_URL: 'mail-sender',
  HASH_QUEUE_URL: 'file-hasher',
  SCAN_QUEUE_URL: 'file-scanner',
  IMPORT_QUEUE_URL: 'code-importer',
  EVENT_QUEUE_URL: 'event-publisher',
  DELIVERY_QUEUE_URL: 'event-sender',
};
const operator = {
  SERVICE_NAME: 'Minato Licenses',
  OPERATOR_NAME: 'Minato Ltd.',
  OPERATOR_ADDRESS: '1-2-3 Kaigan',
  OPERATOR_CONTACT: 'desk@minato.example',
  TERMS_URL: 'https://minato.example/terms',
  PRIVACY_URL: 'https://minato.example/privacy',
};
const keys = { LICENSE_PEPPERS: keyringText('p1'), ENCRYPTION_KEYS: keyringText('e1'), TOKEN_KEYS: keyringText('t1') };

let market: Market;
let scene: Marketplace;
const mails: OutgoingMail[] = [];
beforeAll(async () => {
  market = await startMarket();
  const settings = { ...keys, ...operator, PUBLIC_BASE_URL: 'https://shop.example', CONSOLE_CLIENT_ID: 'console' };
  scene = await openMarketplace(market, settings);
});
afterAll(() => market.stop());

const asOwner = { 'X-User-ID': 'alice' };
const asAdmin = { 'X-User-ID': 'admin', 'X-User-Email': 'admin@example.com' };
const declared = (name: string) => allFunctions.find((found) => found.name === name)!;

function start(name: string, changes: object = {}) {
  const outside = { send: async (mail: OutgoingMail) => void mails.push(mail), requestScan: async () => undefined };
  return scene.start(declared(name), { ...outside, ...changes });
}
const settingsWith = (changes: object) => ({ settings: { ...scene.settings, ...changes } });
async function work(task: JobTask, changes: object = {}): Promise<void> {
  await scene.table.write(addJob(scene, task));
  const handled = await start(workerOf[queueOfJob[task.kind]], changes)(toSqsEvent([jobId(task)]), {});
  expect(handled).toEqual({ batchItemFailures: [] });
}

/** Does every job that waits, and those that follow from them. */
async function drain(): Promise<void> {
  const done = new Set<string>();
  for (;;) {
    const jobs = (await readContents(scene)).filter(({ pk, state }) => String(pk).startsWith('JOB#') && state === 'waiting');
    const waiting = jobs.map(({ id }) => String(id)).filter((id) => !done.has(id));
    if (waiting.length === 0) return;
    for (const id of waiting) {
      done.add(id);
      await start(workerOf[queueOfJob[id.split(':')[0] as JobKind]])(toSqsEvent([id]), {});
    }
  }
}

/** An event that is to be sent to an endpoint of this address. */
async function newDelivery(url: string, change: object = {}) {
  const [sellerId, endpointId] = [scene.own.seller.id, newId('endpoint')];
  const at = scene.at;
  const sealedSecret = sealText(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, endpointId, scene.settings.ENCRYPTION_KEYS);
  const record = { id: endpointId, sellerId, url, enabled: true, sealedSecret, createdAt: at, updatedAt: at, revision: 1, ...change };
  const event = { id: newId('event'), sellerId, type: 'test', at, data: { endpointId } } as const;
  await scene.table.write({ put: { Item: { ...endpointKey(sellerId, endpointId), ...record } } });
  await scene.table.transact([keepSellerEvent(event), ...addDelivery(endpointId, event, new Date(at))]);
  const read = async () => (await listDeliveries(scene.table, endpointId, { limit: 1 })).items[0];
  return { task: { kind: 'deliver-events', sellerId, endpointId } as const, read };
}

async function pay(change: Record<string, unknown> = {}, store = true): Promise<void> {
  const order = sampleOrder({ productId: scene.own.product.id, sellerId: scene.own.seller.id });
  if (store) await scene.table.transact(createOrder(order));
  const body = JSON.stringify(sessionEvent(order, 'completed', change));
  const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, webhookSecrets.platform, Date.parse(scene.at)) };
  expect((await scene.call('POST', '/v1/payment/webhook', { body, headers })).status).toBe(200);
}

/** A file of the shop's that was uploaded. */
async function upload(fields: object = {}) {
  const [size_bytes, sha256_hex, path] = [installer.length, sha256(installer), `/v1/products/${scene.own.product.id}/files`];
  const body = { filename: 'setup.zip', content_type: 'application/zip', size_bytes, sha256_hex, ...fields };
  const { json } = await scene.call('POST', `${path}/upload-intent`, { headers: asOwner, body });
  const { 'content-length': _, ...headers } = json.required_headers;
  await fetch(json.upload_url, { method: 'PUT', headers, body: new Uint8Array(installer) });
  const done = await scene.call('POST', `${path}/${json.product_file_id}/finalize`, { headers: asOwner, body: { size_bytes, sha256_hex } });
  expect(done.status).toBe(200);
  const ids = { productId: scene.own.product.id, fileId: done.json.id };
  return { ids, read: () => getFile(scene.table, ids.productId, ids.fileId) };
}

describe('workers, after all that they do', () => {
  beforeAll(async () => {
    await pay();
    await pay({ metadata: { order_id: newId('order'), stage: 'local' } }, false);
    await upload();
    await upload({ content_type: 'image/png', purpose: 'image' });
    const failing = await newDelivery('http://127.0.0.1:9/hook', { failingSince: '2026-01-01T00:00:00.000Z' });
    await scene.table.write(addJob(scene, failing.task));
    const review = `/v1/admin/sellers/${scene.other.seller.id}/review`;
    await scene.call('PATCH', review, { headers: asAdmin, body: { decision: 'suspend' } });
    await scene.call('POST', '/v1/purchases/resend-link', { body: { buyer_email: scene.own.buyerEmail } });
    await drain();
    for (const task of sampleTasks) await workUntilItFails(task);
    const overdue = { now: () => new Date(Date.parse(scene.at) - 3600_000) };
    for (const task of sampleTasks) await scene.table.write(addJob(overdue, task));
    await start('sweeper')({}, { getRemainingTimeInMillis: () => 0 });
  }, 60_000);

  /** What the worker is to read or write is away. */
  async function workUntilItFails(task: JobTask): Promise<void> {
    const fail = async () => {
      throw new Error('away');
    };
    await work(task, { table: { ...scene.table, get: fail, batchGet: fail, query: fail, transact: fail } });
  }

  test('have read each of their settings', () => {
    const workers = allFunctions.filter(({ routes }) => routes.length === 0);
    const unread = workers.flatMap(({ name, settingNames }) =>
      settingNames.filter((setting) => !scene.reads.get(name)?.has(setting)).map((setting) => `${name}: ${setting}`),
    );
    const unneeded: [string, SettingName][] = [
      // It opens no accounts and makes no links.
      ['event-projector', 'PAYMENT_ACCOUNT_COUNTRY'],
      ['event-projector', 'PUBLIC_BASE_URL'],
      // The stage of the others is judged where they start.
      ...['code-importer', 'event-publisher', 'file-hasher', 'file-scanner', 'mail-sender', 'sweeper'].map(
        (name): [string, SettingName] => [name, 'STAGE'],
      ),
    ];
    expect(unread.sort()).toEqual(unneeded.map((pair) => pair.join(': ')).sort());
  });

  test('have sent each kind of job to its own queue', () => {
    expect(scene.misdirected).toEqual([]);
    expect(new Set(scene.queue.sent.map((id) => id.split(':')[0]))).toEqual(new Set(sampleTasks.map(({ kind }) => kind)));
    expect(Object.keys(workerOf).sort()).toEqual([...queueSettings].sort());
  });

  test('have used each key for what it is for', async () => {
    const contents = await readContents(scene);
    const licenses = contents.filter(
      ({ sk, orderId }) => sk === 'LICENSE' && orderId !== scene.own.order.id && orderId !== scene.other.order.id,
    );
    const bought = licenses.filter(({ orderId }) => orderId !== undefined);
    expect(bought.length).toBeGreaterThan(0);
    for (const { lookup, sealedKey } of bought) expect([lookup, sealedKey].map((text) => String(text).split('.')[0])).toEqual(['p1', 'e1']);
  });

  test('have told in each mail who stands behind it, each at its place', () => {
    const labels = {
      送信元: operator.SERVICE_NAME,
      運営者: operator.OPERATOR_NAME,
      所在地: operator.OPERATOR_ADDRESS,
      運営者の連絡先: operator.OPERATOR_CONTACT,
      利用規約: operator.TERMS_URL,
      プライバシーポリシー: operator.PRIVACY_URL,
    };
    const purchase = mails.findLast(({ text }) => text.includes('#token='))!;
    for (const [label, value] of Object.entries(labels)) expect(purchase.text).toContain(`\n${label}: ${value}`);
  });

  test('have led nowhere but to the service’s own address', () => {
    expect(mails.length).toBeGreaterThan(2);
    const links = mails.flatMap(({ text }) => text.match(/https?:\/\/[^/\s]+/g) ?? []);
    expect(new Set(links)).toEqual(new Set(['https://shop.example', 'https://minato.example']));
  });
});

test('events of another stage are left to it, and those of ours without an order are dead', async () => {
  const { settings } = scene;
  for (const [stage, state] of [
    [settings.STAGE, 'dead'],
    ['staging', undefined],
  ] as const) {
    await pay({ metadata: { order_id: newId('order'), stage } }, false);
    const id = scene.queue.sent.findLast((sent) => sent.startsWith('project-event:')) ?? '';
    await start('event-projector')(toSqsEvent([id]), {});
    expect((await readContents(scene)).find(({ pk }) => pk === `JOB#${id}`)?.['state']).toBe(state);
  }
});

test('events go neither to the service itself nor, but locally, to an address that is not public', async () => {
  const receiver = await startRecorder(async () => new Response());
  const lastError = async (changes: object) => {
    const { task, read } = await newDelivery(`${receiver.endpoint}/hook`);
    await work(task, settingsWith(changes));
    return (await read())?.lastError;
  };
  expect(await lastError({})).toBeUndefined();
  expect(await lastError({ PUBLIC_BASE_URL: receiver.endpoint })).toBe('url_not_allowed');
  expect(await lastError({ STAGE: 'staging' })).toBe('url_not_allowed');
  await receiver.stop();
});

describe('a file', () => {
  const plan = 'arn:aws:guardduty:us-east-1:111122223333:malware-protection-plan/abc';
  const hashed = async () => {
    const file = await upload();
    await work({ kind: 'hash-file', ...file.ids });
    return file;
  };
  const scan = async (changes: object) => {
    const file = await hashed();
    await work({ kind: 'scan-file', ...file.ids }, settingsWith(changes));
    return file.read();
  };

  test('is trusted by the engines that are named, and waits where GuardDuty scans', async () => {
    expect(await scan({ TRUSTED_SCANNERS: ['clamav'] })).toMatchObject({ scanEngine: 'eicar-only', scanTrustedClean: false });
    expect(await scan({ TRUSTED_SCANNERS: ['eicar-only'] })).toMatchObject({ scanEngine: 'eicar-only', scanTrustedClean: true });
    expect(await scan({ MALWARE_PLAN_ARN: plan })).toMatchObject({ scanWaits: 1 });
    expect(await scan({ MALWARE_PLAN_ARN: plan, BUCKET_NAME: undefined })).toMatchObject({ scanWaits: 0 });
    // Where both could, clamd scans, so that nothing waits for a report.
    const both = { MALWARE_PLAN_ARN: plan, CLAMD_URL: 'unix:/nowhere/clamd.sock' };
    expect(await scan(both)).toMatchObject({ scanWaits: 0 });
  });

  test.each([
    [['clamav', 'guardduty'], true],
    [['clamav'], false],
  ])('that GuardDuty finds clean, where %j are trusted, is trusted: %j', async (TRUSTED_SCANNERS, trusted) => {
    const file = await hashed();
    const { storageKey, versionId } = await file.read();
    const report = {
      source: 'aws.guardduty',
      'detail-type': 'GuardDuty Malware Protection Object Scan Result',
      id: newId('audit'),
      account: '111122223333',
      time: '2026-11-21T20:00:00Z',
      resources: [plan],
      detail: {
        schemaVersion: '1.0',
        scanStatus: 'COMPLETED',
        s3ObjectDetails: { bucketName: testBucket, objectKey: storageKey, versionId },
        scanResultDetails: { scanResultStatus: 'NO_THREATS_FOUND', threats: null },
      },
    };
    const [record] = toSqsEvent(['']).Records;
    const scanner = start('file-scanner', settingsWith({ TRUSTED_SCANNERS, MALWARE_PLAN_ARN: plan }));
    expect(await scanner({ Records: [{ ...record, body: JSON.stringify(report) }] }, {})).toEqual({ batchItemFailures: [] });
    expect(await file.read()).toMatchObject({ scanStatus: 'clean', scanTrustedClean: trusted });
  });
});
