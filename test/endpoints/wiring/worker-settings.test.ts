import { existsSync, globSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { compose as composeProjector } from '../../../functions/event-projector/compose.ts';
import type { SettingName } from '../../../shared/config.ts';
import { newId, type OrderId } from '../../../shared/ids.ts';
import type { JobTask } from '../../../shared/jobs/job.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { jobId, newJob } from '../../../shared/jobs/new-job.ts';
import { addMail } from '../../../shared/mail/outbox/mail-repository.ts';
import type { Order } from '../../../shared/orders/order.ts';
import { createOrder, getOrder, replaceOrder } from '../../../shared/orders/order-repository.ts';
import { createStripeClient } from '../../../shared/payments/provider/stripe-client.ts';
import { getFile } from '../../../shared/product-files/product-file-repository.ts';
import { queueOfJob } from '../../../shared/queue/messages.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { testBucket } from '../../support/engines/test-object-store.ts';
import { issueTestLicense, keyringText } from '../../support/samples/licenses.ts';
import { csv, multipart } from '../../support/samples/multipart.ts';
import { sessionEvent, sign } from '../../support/samples/provider-events.ts';
import { type Deployment, type Environment, startDeployment } from '../../support/scenes/deployment.ts';
import { installer, otherBucket, sha256, webhookSecrets } from '../../support/scenes/marketplace.ts';
import { sampleOrder, silentLogger, toSqsEvent } from '../../support/scenes/projection-harness.ts';
import { eventWorkerEffects } from './event-worker-settings.ts';

type Effect = (name: string, setting: SettingName) => Promise<void>;
type NewJob<Job = { id: string }> = () => Promise<Job>;

let d: Deployment;
beforeAll(async () => {
  d = await startDeployment();
});
afterAll(() => d.stop());

/** Runs the worker on a new job under each value, and compares what is seen then. */
async function differ<Job extends { id: string }>(
  name: string,
  newJob: () => Promise<Job>,
  see: (job: Job) => Promise<unknown>,
  seen: readonly [Environment, unknown][],
): Promise<void> {
  expect(new Set(seen.map(([, expected]) => JSON.stringify(expected))).size).toBeGreaterThan(1);
  for (const [environment, expected] of seen) {
    const job = await newJob();
    expect(await d.work(name, job.id, environment)).toEqual({ batchItemFailures: [] });
    expect(await see(job)).toEqual(expected);
  }
}

/** What is seen under each value; `default` is the deployment's own. */
const shows = <Job extends { id: string }>(
  newJob: NewJob<Job>,
  see: (job: Job) => Promise<unknown>,
  values: Record<string, unknown>,
): Effect => {
  return (name, setting) =>
    differ(
      name,
      newJob,
      see,
      Object.entries(values).map(([value, expected]) => [value === 'default' ? {} : { [setting]: value }, expected]),
    );
};

/** What is seen of a job that is in the table of the worker, and of one that is not. */
const table = <Job extends { id: string }>(
  newJob: NewJob<Job>,
  see: (job: Job) => Promise<unknown>,
  found: unknown,
  missing: unknown,
): Effect => {
  return (name) =>
    differ(name, newJob, see, [
      [{}, found],
      [{ TABLE_NAME: d.emptyTable }, missing],
    ]);
};

const queueSettings = [...new Set(Object.values(queueOfJob))];
async function queuesWith(setting: SettingName) {
  const [right, wrong] = [await d.newQueue(), await d.newQueue()];
  return {
    right,
    wrong,
    settings: { ...Object.fromEntries(queueSettings.map((name) => [name, wrong.url])), [setting]: right.url } as Environment,
  };
}

/** The job that follows is sent to the queue of its worker, and to no other. */
const follows = (newJob: NewJob, kind: string): Effect => {
  return async (name, setting) => {
    const { right, wrong, settings } = await queuesWith(setting);
    await d.work(name, (await newJob()).id, settings);
    expect([await right.kinds(), await wrong.kinds()]).toEqual([[kind], []]);
  };
};

/** A job that fails comes again by the queue it came from. */
const retries = (newJob: NewJob, failing: Environment): Effect => {
  return async (name, setting) => {
    const { right, wrong, settings } = await queuesWith(setting);
    await d.work(name, (await newJob()).id, { ...settings, ...failing });
    expect([await right.delayed(), await wrong.delayed()]).toEqual([1, 0]);
  };
};

/** Only the functions lose the store; the test reaches it as before. */
async function whileStoreIsAway(effect: () => Promise<void>): Promise<void> {
  const endpoint = process.env['AWS_ENDPOINT_URL_S3'];
  process.env['AWS_ENDPOINT_URL_S3'] = 'http://127.0.0.1:9';
  try {
    await effect();
  } finally {
    process.env['AWS_ENDPOINT_URL_S3'] = endpoint;
  }
}

const stage: Effect = async (name) => {
  await expect(d.deploy(name, { STAGE: '' })).rejects.toThrow('STAGE is missing');
  await d.deploy(name);
};

const jobItem = async (id: string) => (await readContents(d)).find(({ pk }) => pk === `JOB#${id}`);
const asOwner = { 'X-User-ID': 'alice' };

/** A mail of the outbox that is to be sent. */
async function newMail() {
  const task = { kind: 'send-mail', orderId: d.own.order.id, mailId: newId('mail') } as const;
  const mail = { id: task.mailId, orderId: task.orderId };
  const order = await getOrder(d.table, task.orderId);
  await d.table.transact([replaceOrder(order, { ...order, completionMailId: mail.id }), addMail(mail, new Date()), addJob(d, task)]);
  return { id: jobId(task) };
}
const lastText = async (): Promise<string> => JSON.parse(d.mails.received.at(-1)?.body ?? '{}').Content.Simple.Body.Text.Data;

/** The mail of a review of the seller. */
async function newReviewNotice() {
  const task = { kind: 'send-review-notice', sellerId: d.own.seller.id, noticeId: newId('audit') } as const;
  const payload = { outcome: 'seller.approved' };
  await d.table.write({ put: { Item: { ...newJob(task, new Date()), payload } } });
  return { id: jobId(task) };
}
async function lastMail() {
  const mail = JSON.parse(d.mails.received.at(-1)?.body ?? '{}');
  const link = new URL(/https?:\S+#token=\S+/.exec(mail.Content.Simple.Body.Text.Data)?.[0] ?? '');
  const { kid } = decodeProtectedHeader(link.hash.slice('#token='.length));
  return { mail, from: / <(\S+)>$/.exec(mail.FromEmailAddress)?.[1], to: mail.Destination.ToAddresses, origin: link.origin, kid };
}
/** The last line of mails with this label tells the setting. */
const inFooter = (label: string, value: string): Effect => {
  const line = async () =>
    new RegExp(`.*\\n${label}: ([^\\n]*)`, 's').exec((await lastMail()).mail.Content.Simple.Body.Text.Data)?.[1] === value;
  return shows(newMail, line, { default: false, [value]: true });
};
const countMails = async () => d.mails.received.length;

/** A payment of a new order, as the provider's event reports it. */
async function newPayment() {
  const order = sampleOrder({ productId: d.own.product.id, sellerId: d.own.seller.id });
  await d.table.transact(createOrder(order));
  return { orderId: order.id, ...(await receive(sessionEvent(order, 'completed'))) };
}
async function receive(event: { id: string }, path = '/v1/payment/webhook', secret = webhookSecrets.platform) {
  const body = JSON.stringify(event);
  const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, secret, Date.parse(d.at)) };
  const reply = await d.call('POST', path, { body, headers });
  if (reply.status !== 200) throw new Error(reply.text);
  return { id: jobId({ kind: 'project-event', eventId: event.id }) };
}
const accountEvent = () =>
  receive({
    id: `evt_${newId('audit')}`,
    type: 'v2.core.account.updated',
    object: 'v2.core.event',
    livemode: false,
    related_object: { id: d.own.seller.paymentConnectedAccountId, type: 'v2.core.account' },
  } as { id: string });
const statusOf = async ({ orderId }: { orderId: OrderId }) => (await getOrder(d.table, orderId)).status;
async function licenseOf({ orderId }: { orderId: OrderId }): Promise<Record<string, string>> {
  const { licenseId } = await getOrder(d.table, orderId);
  return ((await readContents(d)).find(({ sk, id }) => sk === 'LICENSE' && id === licenseId) ?? {}) as Record<string, string>;
}

/** An upload that was finalized, and its job. */
async function newUpload(change: { content_type?: string; purpose?: string } = {}) {
  const size_bytes = installer.length;
  const sha256_hex = sha256(installer);
  const path = `/v1/products/${d.own.product.id}/files`;
  const body = { filename: 'setup.zip', content_type: 'application/zip', size_bytes, sha256_hex, ...change };
  const { json } = await d.call('POST', `${path}/upload-intent`, { headers: asOwner, body });
  const { 'content-length': _, ...headers } = json.required_headers;
  await fetch(json.upload_url, { method: 'PUT', headers, body: new Uint8Array(installer) });
  const done = await d.call('POST', `${path}/${json.product_file_id}/finalize`, { headers: asOwner, body: { size_bytes, sha256_hex } });
  if (done.status !== 200) throw new Error(done.text);
  const ids = { productId: d.own.product.id, fileId: done.json.id };
  const read = () => getFile(d.table, ids.productId, ids.fileId);
  // Live files are limited, and the next upload wants a place.
  const leave = () => d.call('POST', `${path}/${ids.fileId}/withdraw`, { headers: asOwner });
  return { id: jobId({ kind: 'hash-file', ...ids }), ids, read, leave };
}
type Upload = Awaited<ReturnType<typeof newUpload>>;
const seeFile = (field: 'hashStatus' | 'scanStatus' | 'scanTrustedClean' | 'scanWaits' | 'scanEngine') => async (upload: Upload) => {
  const file = await upload.read();
  await upload.leave();
  return file[field] ?? 'none';
};

/** How long the bytes of what is no picture are kept. */
async function hoursToDiscard({ ids }: Upload): Promise<number> {
  const job = (await readContents(d)).find(({ pk }) => pk === `JOB#discard-upload:${ids.productId}/${ids.fileId}`);
  return Math.round((Date.parse(String(job?.['createdAt'])) - Date.now()) / 3600_000);
}

/** An upload whose hash is verified, to be scanned. */
async function newScan(): Promise<Upload> {
  const upload = await newUpload();
  await d.work('file-hasher', upload.id);
  return { ...upload, id: jobId({ kind: 'scan-file', ...upload.ids }) };
}

async function newImport(code: string = newId('batch')) {
  const form = await multipart([
    ['idempotency_key', newId('batch')],
    ['file', csv(`code\n${code}\n`)],
  ]);
  const path = `/v1/products/${d.own.csvProduct.id}/code-batches`;
  const { json } = await d.call('POST', path, { ...form, headers: { ...form.headers, ...asOwner } });
  return { id: jobId({ kind: 'import-codes', productId: d.own.csvProduct.id, batchId: json.id }), path: `${path}/${json.id}` };
}
/** An import of a code that is the key of a license already. */
async function newImportOfKey() {
  const productId = d.own.csvProduct.id;
  const { key } = await issueTestLicense(d.table, { productId, peppers: d.settings.LICENSE_PEPPERS });
  return newImport(key);
}
const seeImport = async ({ path }: { path: string }) => (await d.call('GET', path, { headers: asOwner })).json.status;

/** A clamd that finds nothing. */
async function startClamd() {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      if (bytes.includes('zVERSION')) socket.end('ClamAV 1.4.1/27000/Sat Nov 21 08:00:00 2026\0');
      else if (bytes.subarray(-4).equals(Buffer.alloc(4))) socket.end('stream: OK\0');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => new Promise((resolve) => server.close(resolve)) };
}

const plan = 'arn:aws:guardduty:us-east-1:111122223333:malware-protection-plan/abc';
/** GuardDuty reports through the queue of scans that it found no threat. */
async function reportClean(upload: Upload, environment: Environment) {
  const { storageKey, versionId } = await upload.read();
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
  return (await d.deploy('file-scanner', environment))({ Records: [{ ...record, body: JSON.stringify(report) }] }, {});
}

const overdue: Record<string, JobTask> = {
  WEBHOOK_QUEUE_URL: { kind: 'project-event', eventId: 'evt_1' },
  MAIL_QUEUE_URL: { kind: 'send-mail', orderId: newId('order'), mailId: 'm' },
  HASH_QUEUE_URL: { kind: 'hash-file', productId: newId('product'), fileId: newId('file') },
  SCAN_QUEUE_URL: { kind: 'scan-file', productId: newId('product'), fileId: newId('file') },
  IMPORT_QUEUE_URL: { kind: 'import-codes', productId: newId('product'), batchId: newId('batch') },
  EVENT_QUEUE_URL: { kind: 'publish-event', eventId: newId('event') },
  DELIVERY_QUEUE_URL: { kind: 'deliver-events', sellerId: newId('seller'), endpointId: newId('endpoint') },
};
const sweep = async (environment: Environment) => (await d.deploy('sweeper', environment))({}, { getRemainingTimeInMillis: () => 0 });
/** Jobs that nobody but the sweeper will send. */
async function leaveJobs(): Promise<void> {
  const past = { now: () => new Date(Date.now() - 3600_000) };
  await d.table.transact(Object.values(overdue).map((task) => addJob(past, task)));
}

/** The jobs of a queue are sent there, each kind to its own. */
const sweeps: Effect = async (_, setting) => {
  await leaveJobs();
  const { right, settings } = await queuesWith(setting);
  await sweep(settings);
  expect(await right.kinds()).toContain(overdue[setting]?.kind);
};

const unused = 'the projector opens no accounts and makes no links';

/** What each setting shows; a text says why it shows nothing. */
const effects: Record<string, Partial<Record<SettingName, Effect | string>>> = {
  'code-importer': {
    STAGE: stage,
    TABLE_NAME: table(() => newImport(), seeImport, 'completed', 'accepted'),
    ENCRYPTION_KEYS: shows(() => newImport(), seeImport, {
      default: 'completed',
      [keyringText('e2')]: 'processing',
      [keyringText('e2', 'e1')]: 'completed',
    }),
    LICENSE_PEPPERS: shows(newImportOfKey, async ({ path }) => (await d.call('GET', path, { headers: asOwner })).json.duplicate_count, {
      default: 1,
      [keyringText('p2')]: 0,
      [keyringText('p2', 'p1')]: 1,
    }),
    IMPORT_QUEUE_URL: retries(() => newImport(), { ENCRYPTION_KEYS: keyringText('e2') }),
    WEBHOOK_QUEUE_URL: follows(() => newImport(), 'serve-waiting-orders'),
  },
  'event-projector': {
    STAGE: async () => {
      const provider = createStripeClient({ secretKey: 'sk_test_none', apiBase: 'http://127.0.0.1:9' });
      for (const [STAGE, state] of [
        ['staging', 'dead'],
        ['production', undefined],
      ] as const) {
        // A session of the stage `staging` about an order that is not here.
        const unknown: Order = sampleOrder();
        const { id } = await receive(sessionEvent(unknown, 'completed', { metadata: { order_id: unknown.id, stage: 'staging' } }));
        const settings = { ...d.settings, STAGE };
        await composeProjector({ settings, logger: silentLogger, table: d.table, provider, sender: d.queue })(toSqsEvent([id]));
        expect((await jobItem(id))?.['state']).toBe(state);
      }
    },
    TABLE_NAME: table(newPayment, statusOf, 'paid', 'pending'),
    WEBHOOK_QUEUE_URL: retries(newPayment, { ENCRYPTION_KEYS: keyringText('e2') }),
    MAIL_QUEUE_URL: follows(newPayment, 'send-mail'),
    PAYMENT_SECRET_KEY: shows(accountEvent, async () => d.provider.received.at(-1)?.authorization, {
      default: 'Bearer sk_test_deployed',
      sk_test_other: 'Bearer sk_test_other',
    }),
    PAYMENT_API_BASE: async () => {
      const [here, there] = [d.provider.received.length, d.otherProvider.received.length];
      await differ(
        'event-projector',
        accountEvent,
        async () => [d.provider.received.length > here, d.otherProvider.received.length > there],
        [
          [{ PAYMENT_API_BASE: d.otherProvider.endpoint }, [false, true]],
          [{}, [true, true]],
        ],
      );
    },
    PAYMENT_ACCOUNT_COUNTRY: unused,
    PUBLIC_BASE_URL: unused,
    LICENSE_PEPPERS: shows(newPayment, async (job) => (await licenseOf(job))['lookup']?.split('.')[0], {
      default: 'p1',
      [keyringText('p2', 'p1')]: 'p2',
    }),
    ENCRYPTION_KEYS: shows(
      newPayment,
      async (job) => [
        (await licenseOf(job))['sealedKey']?.split('.')[0],
        (await getOrder(d.table, job.orderId)).sealedBuyerEmail?.split('.')[0],
      ],
      { default: ['e1', 'e1'], [keyringText('e2', 'e1')]: ['e2', 'e2'] },
    ),
  },
  'file-hasher': {
    STAGE: stage,
    TABLE_NAME: table(newUpload, seeFile('hashStatus'), 'verified', 'unverified'),
    BUCKET_NAME: shows(newUpload, seeFile('hashStatus'), { default: 'verified', [otherBucket]: 'error' }),
    HASH_QUEUE_URL: (name, setting) => whileStoreIsAway(() => retries(newUpload, {})(name, setting)),
    SCAN_QUEUE_URL: follows(newUpload, 'scan-file'),
    DISCARD_AFTER_HOURS: shows(() => newUpload({ content_type: 'image/png', purpose: 'image' }), hoursToDiscard, { default: 24, '2': 2 }),
  },
  'file-scanner': {
    STAGE: stage,
    TABLE_NAME: table(newScan, seeFile('scanStatus'), 'clean', 'not_scanned'),
    BUCKET_NAME: shows(newScan, seeFile('scanStatus'), { default: 'clean', [otherBucket]: 'not_scanned' }),
    SCAN_QUEUE_URL: retries(newScan, { BUCKET_NAME: otherBucket }),
    TRUSTED_SCANNERS: async () => {
      await differ('file-scanner', newScan, seeFile('scanTrustedClean'), [
        [{}, false],
        [{ TRUSTED_SCANNERS: 'clamav, eicar-only' }, true],
        [{ TRUSTED_SCANNERS: 'eicar' }, false],
      ]);
      for (const [TRUSTED_SCANNERS, trusted] of [
        ['clamav,guardduty', true],
        ['clamav', false],
      ] as const) {
        const upload = await newScan();
        expect(await reportClean(upload, { TRUSTED_SCANNERS, MALWARE_PLAN_ARN: plan })).toEqual({ batchItemFailures: [] });
        expect([(await upload.read()).scanStatus, await seeFile('scanTrustedClean')(upload)]).toEqual(['clean', trusted]);
      }
    },
    CLAMD_URL: async () => {
      const clamd = await startClamd();
      await differ('file-scanner', newScan, seeFile('scanEngine'), [
        [{ CLAMD_URL: clamd.url }, 'clamav'],
        [{}, 'eicar-only'],
        // With both, clamd does the jobs.
        [{ CLAMD_URL: clamd.url, MALWARE_PLAN_ARN: plan }, 'clamav'],
      ]);
      await clamd.stop();
    },
    MALWARE_PLAN_ARN: () =>
      differ('file-scanner', newScan, seeFile('scanWaits'), [
        [{ MALWARE_PLAN_ARN: plan }, 1],
        [{}, 0],
        [{ MALWARE_PLAN_ARN: plan, BUCKET_NAME: '' }, 0],
      ]),
  },
  'mail-sender': {
    STAGE: stage,
    TABLE_NAME: async () => {
      const before = await countMails();
      await differ('mail-sender', newMail, countMails, [
        [{ TABLE_NAME: d.emptyTable }, before],
        [{}, before + 1],
      ]);
    },
    MAIL_QUEUE_URL: retries(newMail, { ENCRYPTION_KEYS: keyringText('e2') }),
    MAIL_FROM: shows(newMail, async () => (await lastMail()).from, {
      default: 'licenses@example.com',
      'shop@example.org': 'shop@example.org',
    }),
    MAIL_CONFIGURATION_SET: shows(newMail, async () => (await lastMail()).mail.ConfigurationSetName, {
      default: 'mails',
      others: 'others',
    }),
    PUBLIC_BASE_URL: shows(newMail, async () => (await lastMail()).origin, {
      default: 'https://shop.example',
      'https://other.example': 'https://other.example',
    }),
    CONSOLE_CLIENT_ID: shows(newReviewNotice, async () => /https:\S+seller/.exec(await lastText())?.[0] ?? '', {
      default: '',
      console: 'https://shop.example/console/seller',
    }),
    ENCRYPTION_KEYS: async () => {
      const before = await countMails();
      await differ('mail-sender', newMail, async () => [await countMails(), (await lastMail()).to], [
        [{}, [before + 1, [d.own.buyerEmail]]],
        [{ ENCRYPTION_KEYS: keyringText('e2') }, [before + 1, [d.own.buyerEmail]]],
        [{ ENCRYPTION_KEYS: keyringText('e2', 'e1') }, [before + 2, [d.own.buyerEmail]]],
      ]);
    },
    TOKEN_KEYS: shows(newMail, async () => (await lastMail()).kid, { default: 't1', [keyringText('t2', 't1')]: 't2' }),
    SERVICE_NAME: inFooter('送信元', 'Minato Licenses'),
    OPERATOR_NAME: inFooter('運営者', 'Minato Ltd.'),
    OPERATOR_ADDRESS: inFooter('所在地', '1-2-3 Kaigan'),
    OPERATOR_CONTACT: inFooter('運営者の連絡先', 'desk@minato.example'),
    TERMS_URL: inFooter('利用規約', 'https://minato.example/terms'),
    PRIVACY_URL: inFooter('プライバシーポリシー', 'https://minato.example/privacy'),
  },
  ...eventWorkerEffects({ d: () => d, differ, table, follows, retries, stage }),
  sweeper: {
    STAGE: stage,
    TABLE_NAME: async () => {
      await leaveJobs();
      expect((await sweep({ TABLE_NAME: d.emptyTable })).sent).toBe(0);
      expect((await sweep({})).sent).toBeGreaterThanOrEqual(Object.keys(overdue).length);
    },
    ...Object.fromEntries(queueSettings.map((setting) => [setting, sweeps])),
  },
};

const root = join(import.meta.dirname, '..', '..', '..');
const workers = await Promise.all(
  globSync('functions/*/declaration.ts', { cwd: root })
    .filter((file) => !existsSync(join(root, dirname(file), 'routes.ts')))
    .map(async (file) => {
      const { settingNames } = (await import(join(root, file))) as { settingNames: readonly SettingName[] };
      return { name: basename(dirname(file)), settingNames };
    }),
);

describe.each(workers)('$name', ({ name, settingNames }) => {
  test('has each of its settings and no other tested here', () => {
    expect(Object.keys(effects[name] ?? {}).sort()).toEqual([...settingNames].sort());
  });

  const shown = settingNames.filter((setting) => typeof effects[name]?.[setting] !== 'string');
  test.each(shown)('does what %s says', async (setting) => {
    const effect = effects[name]?.[setting];
    if (typeof effect === 'function') await effect(name, setting);
  });
});
