import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteMessageCommand, PurgeQueueCommand, ReceiveMessageCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createAccessControl } from '../../infra/local/access/access-control.ts';
import { nameResources } from '../../infra/local/access/name-resources.ts';
import type { Engine } from '../../infra/local/engines/engine.ts';
import { createQueues, createTables, type LocalQueue, nameBuckets } from '../../infra/local/engines/provision.ts';
import { createPollingClient, startSqs } from '../../infra/local/engines/queue-engine.ts';
import { readSynthesizedApp } from '../../infra/local/template.ts';
import { createMonitoring, type Monitoring } from '../support/monitoring/monitoring.ts';
import { synthesizeAt } from '../support/synthesized.ts';

jest.setTimeout(120_000);

const stackOf = (part: string) => `license-service-local-${part}`;
const alarmNamed = (id: string) => `${stackOf('operations')}-${id}`;

describe('the alarms of the templates, judged by what really happens', () => {
  let folder: string;
  let engine: Engine;
  let sqs: SQSClient;
  let queues: LocalQueue[];
  let deployed: Awaited<ReturnType<typeof provision>>;
  let clock: number;
  let monitoring: Monitoring;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'license-service-alarms-'));
    const { assembly } = await synthesizeAt('local');
    cpSync(assembly.directory, folder, { recursive: true });
    engine = await startSqs();
    sqs = createPollingClient(engine.endpoint);
    deployed = await provision(folder);
  });
  afterAll(async () => {
    sqs.destroy();
    await engine.stop();
    rmSync(folder, { recursive: true });
  });

  /** The app of these templates with its queues, and who may publish what. */
  async function provision(from: string) {
    const app = readSynthesizedApp(from);
    queues = await createQueues(app, sqs, engine.endpoint);
    await createTables(app, process.env['AWS_ENDPOINT_URL_DYNAMODB'] ?? '');
    nameBuckets(app, []);
    const sender = 'licenses@example.com';
    nameResources(app, sender);
    return { app, ...createAccessControl(app, { seed: 'of the test', sender }) };
  }
  /** Looks at these queues alone, for each look at each of them takes a request. */
  const watch = ({ app, access }: Awaited<ReturnType<typeof provision>>, watched: readonly LocalQueue[] = []) =>
    createMonitoring(app, { sqs, queues: watched, access, now: () => clock });
  beforeEach(() => {
    clock = Date.parse('2026-01-31T09:00:00.000Z');
    monitoring = watch(deployed);
  });

  const functionNamed = (stack: string, name: string) => {
    const template = JSON.parse(readFileSync(join(folder, `${stackOf(stack)}.template.json`), 'utf8'));
    const id = Object.keys(template.Resources).find((key) => new RegExp(`^${name}Function[0-9A-F]{8}$`).test(key));
    return `${stackOf(stack)}-${id}`;
  };
  const log = (name: string, line: object) => monitoring.line(functionNamed('workers', name), JSON.stringify(line));
  function reply(route: string, status: number, milliseconds = 10): void {
    const [method = '', path] = route.split(' ');
    monitoring.replied({ method, routeKey: `ANY ${path}`, status, milliseconds, requestId: 'request', bytes: 2 });
  }
  /** Lets so many seconds of the cloud pass, thirty times as fast as there, and judges. */
  async function pass(seconds: number, meanwhile: () => void = sweep): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 60) {
      clock += 2000;
      meanwhile();
      await monitoring.judge();
    }
  }
  const sweep = () => {
    monitoring.ended(functionNamed('workers', 'sweeper'), false);
    log('sweeper', { message: 'sweep_finished', oldestDueSeconds: 0 });
  };
  const raised = () => monitoring.list().flatMap(({ name, state }) => (state === 'ALARM' ? [name.slice(alarmNamed('').length)] : []));
  const arrived = () =>
    monitoring.notifications().map(({ message }: any) => `${message.NewStateValue} ${message.AlarmName.slice(alarmNamed('').length)}`);

  test('are all quiet while nothing is wrong', async () => {
    monitoring = watch(deployed, queues);
    await pass(1800, () => {
      sweep();
      reply('POST /v1/licenses/validate', 200);
    });
    expect(monitoring.list().length).toBeGreaterThan(30);
    expect(monitoring.list().filter(({ state }) => state !== 'OK')).toEqual([]);
    expect(arrived()).toEqual([]);
  });

  test('tell of a sweeper that does not run any more, and that it runs again', async () => {
    await pass(1800);
    await pass(960, () => undefined);
    expect(raised()).toEqual(['SweeperStopped', 'OverdueJobs']);
    await pass(60);
    expect(raised()).toEqual([]);
    expect(arrived()).toEqual(['ALARM SweeperStopped', 'ALARM OverdueJobs', 'OK SweeperStopped', 'OK OverdueJobs']);
  });

  test('tell of a sweeper that runs and sees nothing', async () => {
    await pass(1800, () => monitoring.ended(functionNamed('workers', 'sweeper'), false));
    expect(raised()).toEqual(['OverdueJobs']);
  });

  test.each([
    [900, []],
    [901, ['OverdueJobs']],
  ])('take a job that is due for %d s as %j', async (oldestDueSeconds, expected) => {
    await pass(300, () => {
      sweep();
      log('sweeper', { message: 'sweep_finished', oldestDueSeconds });
    });
    expect(raised()).toEqual(expected);
  });

  test.each([
    [3, []],
    [4, ['FailingJobs']],
  ])(
    'take a job that was postponed for the time %d as %j, and the time between two attempts as no end of it',
    async (attempts, expected) => {
      log('mail-sender'.replace('-', ''), { message: 'job_postponed', attempts });
      await pass(1200);
      expect(raised()).toEqual(expected);
      await pass(900);
      expect(raised()).toEqual([]);
    },
  );

  const deadLetters = () => queues.filter(({ name }) => name.includes('MailDeadLetters'));
  const waiting = () => deadLetters()[0]?.url ?? '';
  test('tell of a message in a dead-letter queue once, not of a look at it, and that it is over while the message is still there', async () => {
    monitoring = watch(deployed, deadLetters());
    const message = { QueueUrl: waiting(), MessageBody: '{"jobId":"send-mail:1/2"}' };
    await pass(600);
    await sqs.send(new SendMessageCommand(message));
    await pass(60);
    expect(raised()).toEqual(['MailDeadLetters']);
    await pass(900);
    expect(raised()).toEqual([]);
    const { Messages: [seen] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: waiting(), VisibilityTimeout: 600 }));
    await pass(900);
    expect(raised()).toEqual([]);
    await sqs.send(new DeleteMessageCommand({ QueueUrl: waiting(), ReceiptHandle: seen?.ReceiptHandle }));
    await pass(900);
    await sqs.send(new SendMessageCommand(message));
    await pass(60);
    expect(raised()).toEqual(['MailDeadLetters']);
    expect(arrived()).toEqual(['ALARM MailDeadLetters', 'OK MailDeadLetters', 'ALARM MailDeadLetters']);
    await sqs.send(new PurgeQueueCommand({ QueueUrl: waiting() }));
  });

  test.each([
    ['POST /v1/payment/webhook', 400, 2, []],
    ['GET /v1/payment/webhook', 404, 30, []],
    ['POST /v1/payment/webhook', 400, 3, ['WebhooksRefused']],
    ['POST /v1/payment/connect/webhook', 400, 3, ['WebhooksRefused']],
    ['POST /v1/payment/connect/webhook', 500, 1, ['WebhooksFailing']],
    ['POST /v1/payment/webhook', 503, 1, ['WebhooksFailing']],
    ['POST /v1/licenses/validate', 400, 30, []],
    ['POST /v1/licenses/validate', 500, 4, []],
    ['POST /v1/licenses/validate', 500, 5, ['ServerErrors']],
  ])('take %s answered %d, %d times, as %j', async (route, status, times, expected) => {
    for (let time = 0; time < times; time += 1) reply(route, status);
    for (let time = 0; time < 400; time += 1) reply('GET /healthz', 200);
    await pass(60);
    expect(raised()).toEqual(expected);
  });

  test('take five failures among a thousand replies as none, and errors of a function in two periods as some', async () => {
    for (let time = 0; time < 995; time += 1) reply('POST /v1/licenses/validate', 200);
    for (let time = 0; time < 5; time += 1) reply('POST /v1/licenses/validate', 500);
    monitoring.ended(functionNamed('workers', 'filehasher'), true);
    await pass(60);
    expect(raised()).toEqual([]);
    await pass(300);
    monitoring.ended(functionNamed('workers', 'filehasher'), true);
    await pass(60);
    expect(raised()).toEqual(['file-hasher-errors']);
  });

  test('can be set by hand until they are judged again', async () => {
    monitoring.setState(alarmNamed('DeadJobs'), 'ALARM');
    expect(raised()).toEqual(['DeadJobs']);
    expect(arrived()).toEqual(['ALARM DeadJobs']);
    await pass(600);
    expect(arrived()).toEqual(['ALARM DeadJobs', 'OK DeadJobs']);
  });

  /** The templates with one place of the operations stack changed. */
  async function watchChanged(change: (properties: any, type: string) => void): Promise<void> {
    const copy = mkdtempSync(join(tmpdir(), 'license-service-alarms-'));
    cpSync(folder, copy, { recursive: true });
    const file = join(copy, readdirSync(copy).find((name) => name === `${stackOf('operations')}.template.json`) ?? '');
    const template = JSON.parse(readFileSync(file, 'utf8'));
    for (const { Type, Properties } of Object.values<any>(template.Resources)) change(Properties, Type);
    writeFileSync(file, JSON.stringify(template));
    monitoring = watch(await provision(copy).finally(() => rmSync(copy, { recursive: true })));
  }
  const onPolicy = (change: (statement: any) => void) => (properties: any, type: string) => {
    if (type === 'AWS::SNS::TopicPolicy') for (const statement of properties.PolicyDocument.Statement) change(statement);
  };

  test.each<[string, (properties: any, type: string) => void]>([
    [
      'the policy of their topic denies only',
      onPolicy((statement) => Object.assign(statement, statement.Effect === 'Allow' && { Effect: 'Deny' })),
    ],
    [
      'it lets in another account',
      onPolicy((statement) => Object.assign(statement.Condition.StringEquals ?? {}, { 'aws:SourceAccount': '999999999999' })),
    ],
    [
      'it is of another topic',
      (properties, type) =>
        type === 'AWS::SNS::TopicPolicy' && Object.assign(properties, { Topics: ['arn:aws:sns:us-east-1:000000000000:other'] }),
    ],
    ['they have no action', (properties, type) => type === 'AWS::CloudWatch::Alarm' && Object.assign(properties, { AlarmActions: [] })],
  ])('tell nobody when %s', async (_, change) => {
    await watchChanged(change);
    monitoring.setState(alarmNamed('DeadJobs'), 'ALARM');
    expect(raised()).toEqual(['DeadJobs']);
    expect(arrived()).toEqual([]);
  });

  test('that could not be judged end the start', async () => {
    const broken = watchChanged((properties) =>
      Object.assign(properties, properties.AlarmName && { Statistic: 'Median', Metrics: undefined }),
    );
    await expect(broken).rejects.toThrow('These tests');
  });
});
