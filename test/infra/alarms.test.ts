import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { queueDefinitions } from '../../infra/constructs/queues.ts';
import { tableIndexes } from '../../infra/constructs/table-indexes.ts';
import { maxDelaySeconds } from '../../shared/jobs/job.ts';
import type { LogMessage } from '../../shared/logging/log-messages.ts';
import { productionTemplates, standingBill } from '../bench/cost/standing.ts';
import { nameOfAlarm, watchAlarms } from '../support/templates/alarm-engine.ts';
import { account } from '../support/templates/identifiers.ts';
import { readService } from '../support/templates/service.ts';
import { stacksAt } from '../support/templates/stacks-at.ts';
import { mayDeliver } from '../support/templates/verdicts.ts';

const root = join(import.meta.dirname, '..', '..');
const service = readService(await stacksAt('production'));

type Monitor = ReturnType<typeof watchAlarms>;
/** What happens in a minute beside sweeps: so much of it. */
type Happens = (monitor: Monitor, amount: number, minute: number) => void;

const sweep = (monitor: Monitor, oldestDueSeconds = 0) => {
  monitor.measure('AWS/Lambda Invocations', { FunctionName: functionCalled('sweeper') }, 1);
  monitor.log('sweeper', { message: 'sweep_finished', oldestDueSeconds });
};
const run = (happens: (monitor: Monitor, minute: number) => void, minutes: number, monitor = watchAlarms(service)) => {
  monitor.pass(minutes, (minute) => happens(monitor, minute));
  return monitor;
};

const functionCalled = (folder: string) => service.functions.find((each) => each.folder === folder)?.ref ?? '';
const nameIn = (type: string, id = '') => service.ofType(type).find((each) => each.id.startsWith(id))?.name ?? '';
const ApiId = service.ofType('AWS::ApiGatewayV2::Api')[0]?.ref ?? '';
const TableName = nameIn('AWS::DynamoDB::GlobalTable');
const DistributionId = nameIn('AWS::CloudFront::Distribution');
const WebACL: string = service.ofType('AWS::WAFv2::WebACL')[0]?.properties.VisibilityConfig.MetricName;
const queues = Object.values(queueDefinitions).map(({ id, worker }) => ({ id, worker, name: nameIn('AWS::SQS::Queue', `${id}Queue`) }));
const workers = queues.map(({ worker }) => worker);
const answering = service.definitions.flatMap(({ name, routes }) => (routes.length > 0 ? [name] : []));

const measured =
  (metric: string, dimensions: Record<string, string> = {}): Happens =>
  (monitor, amount) =>
    monitor.measure(metric, dimensions, amount);
const written =
  (folder: string, message: LogMessage, fields: object = {}): Happens =>
  (monitor, amount) => {
    for (let line = 0; line < amount; line += 1) monitor.log(folder, { message, ...fields });
  };
/** Of what is put off, a line each time that it comes again. */
const again =
  (happens: Happens): Happens =>
  (monitor, amount, minute) =>
    minute % (maxDelaySeconds / 60) === 0 && happens(monitor, amount, minute);

const tableParts = [{}, ...tableIndexes.map(({ indexName: GlobalSecondaryIndexName }) => ({ GlobalSecondaryIndexName }))];

/** The operations that the client sends. */
const operations = readFileSync(join(root, 'shared/db/dynamo/signed-dynamo.ts'), 'utf8').matchAll(/send\('(\w+)'/g);

/** How much a minute is fine, how much is not, and how long that is borne. */
type Bound = [alarm: string, what: string, happens: Happens, fine: number, tooMuch: number, minutesBorne: number];

const bound = (...row: Bound) => row;

/** Which alarm goes off at what. */
const bounds: Bound[] = [
  ['SlowReplies', 'replies', measured('AWS/ApiGateway Latency', { ApiId }), 3000, 3001, 10],
  ...answering.map((folder) => bound('Refusals', folder, written(folder, 'request_refused'), 100, 101, 0)),
  ...['storefront', 'pages', 'additions'].map((folder) =>
    bound('PaymentMethodsOff', folder, written(folder, 'payment_methods_off'), 0, 1, 0),
  ),
  ['SlowLicenses', 'licenses', measured('AWS/Lambda Duration', { FunctionName: functionCalled('licenses') }), 1500, 1501, 10],
  ['FunctionThrottles', 'the account', measured('AWS/Lambda Throttles'), 0, 1, 5],
  ...[...workers, 'sweeper'].map((folder) =>
    bound(`${folder}-errors`, folder, measured('AWS/Lambda Errors', { FunctionName: functionCalled(folder) }), 0, 1, 5),
  ),
  ...workers.map((folder) => bound('DeadJobs', folder, written(folder, 'job_dead'), 0, 1, 0)),
  ...workers.map((folder) => bound('FailingJobs', folder, written(folder, 'job_postponed', { attempts: 4 }), 0, 1, 0)),
  ['OverdueJobs', 'a job', (monitor, seconds) => sweep(monitor, seconds), 900, 901, 0],
  ['UnsweptJobs', 'jobs that are not taken', written('sweeper', 'job_not_taken'), 0, 1, 10],
  ['UnsweptJobs', 'jobs that are not sent', written('sweeper', 'job_not_sent'), 0, 1, 10],
  ['FailingEndpoints', 'events', written('event-sender', 'event_not_delivered'), 2, 3, 0],
  ['LateEvents', 'events', written('event-sender', 'events_late'), 0, 1, 5],
  ['LateLicenses', 'licenses', written('event-projector', 'license_not_issued'), 0, 1, 0],
  ['OverRedeemedDiscounts', 'discounts', written('event-projector', 'discount_over_redeemed'), 0, 1, 0],
  ['InfectedOffers', 'files', written('file-scanner', 'approved_file_infected'), 0, 1, 0],
  ['MailBounces', 'mails', measured('AWS/SES Reputation.BounceRate'), 0.04, 0.041, 0],
  ['MailComplaints', 'mails', measured('AWS/SES Reputation.ComplaintRate'), 0.0008, 0.0009, 0],
  ['ThrottledMails', 'mails', again(written('mail-sender', 'job_throttled')), 0, 1, 30],
  ['UndeliverableMails', 'mails', written('mail-sender', 'mail_undeliverable'), 0, 1, 0],
  ...queues.map(({ id, name: QueueName }) =>
    bound(`${id}Waiting`, id, measured('AWS/SQS ApproximateAgeOfOldestMessage', { QueueName }), 900, 901, 5),
  ),
  ...[...operations].map(([, Operation = '']) =>
    bound('TableThrottles', Operation, measured('AWS/DynamoDB ThrottledRequests', { TableName, Operation }), 2, 3, 0),
  ),
  ...tableParts.flatMap((part) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) =>
      bound('PartitionThrottles', `${name} of ${JSON.stringify(part)}`, measured(`AWS/DynamoDB ${name}`, { TableName, ...part }), 2, 3, 0),
    ),
  ),
  ['EdgeErrors', 'requests', ofEdge(21), 5, 6, 5],
  ['BlockedRequests', 'requests', measured('AWS/WAFV2 BlockedRequests', { WebACL, Rule: 'ALL' }), 1000, 1001, 0],
];

/** So many requests a minute at the edge, and how many in a hundred fail. */
function ofEdge(requests: number): Happens {
  const dimensions = { DistributionId, Region: 'Global' };
  return (monitor, percent) => {
    monitor.measure('AWS/CloudFront Requests', dimensions, requests);
    monitor.measure('AWS/CloudFront 5xxErrorRate', dimensions, percent);
  };
}

test.each(bounds)('%s tells of %s, and when it is over', (alarm, _, happens, fine, tooMuch, minutesBorne) => {
  const each = (amount: number) => (monitor: Monitor, minute: number) => {
    sweep(monitor);
    happens(monitor, amount, minute);
  };
  expect(run(each(fine), minutesBorne + 10).told).toEqual([]);
  const monitor = run(each(tooMuch), minutesBorne);
  expect(monitor.told).toEqual([]);
  // What is put off comes again only then.
  run(each(tooMuch), alarm === 'ThrottledMails' ? 30 : 5, monitor);
  expect(monitor.told).toEqual([`ALARM ${alarm}`]);
  run(sweep, 90, monitor);
  expect(monitor.told).toEqual([`ALARM ${alarm}`, `OK ${alarm}`]);
});

describe('the alarms', () => {
  /** In the first minute only. */
  const once = (happens: (monitor: Monitor) => void, minutes = 5) =>
    run((monitor, minute) => {
      sweep(monitor);
      if (minute === 1) happens(monitor);
    }, minutes).told;
  const replies = (method: string, path: string, status: number, times: number) => (monitor: Monitor) => {
    for (let time = 0; time < times; time += 1) monitor.reply(method, path, status);
  };
  const webhook = '/v1/payment/webhook';
  const connect = '/v1/payment/connect/webhook';

  test.each<[method: string, path: string, status: number, times: number, among: number, told: string[]]>([
    ['POST', webhook, 400, 2, 400, []],
    ['GET', webhook, 404, 30, 400, []],
    ['POST', webhook, 400, 3, 400, ['ALARM WebhooksRefused']],
    ['POST', connect, 400, 3, 400, ['ALARM WebhooksRefused']],
    ['POST', connect, 500, 1, 400, ['ALARM WebhooksFailing']],
    ['POST', webhook, 503, 1, 400, ['ALARM WebhooksFailing']],
    ['POST', '/v1/licenses/validate', 400, 30, 400, []],
    ['POST', '/v1/licenses/validate', 500, 4, 100, []],
    ['POST', '/v1/licenses/validate', 500, 5, 400, ['ALARM ServerErrors']],
    ['POST', '/v1/licenses/validate', 500, 5, 995, []],
  ])('take %s %s answered %d, %d times beside %d other requests, as %j', (method, path, status, times, among, told) => {
    const happened = once((monitor) => {
      replies(method, path, status, times)(monitor);
      replies('GET', '/healthz', 200, among)(monitor);
    });
    expect(happened).toEqual(told);
  });

  test('tell of a sweeper that does not run any more, and that it runs again', () => {
    const monitor = run(sweep, 30);
    run(() => undefined, 16, monitor);
    expect(monitor.told.toSorted()).toEqual(['ALARM OverdueJobs', 'ALARM SweeperStopped']);
    run(sweep, 1, monitor);
    expect(monitor.told.slice(2).toSorted()).toEqual(['OK OverdueJobs', 'OK SweeperStopped']);
  });

  test('tell of a sweeper that runs and sees nothing', () => {
    const { told } = run((monitor) => monitor.measure('AWS/Lambda Invocations', { FunctionName: functionCalled('sweeper') }, 1), 30);
    expect(told).toEqual(['ALARM OverdueJobs']);
  });

  test('take a job that was postponed three times as well, and the time between two later attempts as no end of it', () => {
    expect(once((monitor) => monitor.log('mail-sender', { message: 'job_postponed', attempts: 3 }))).toEqual([]);
    expect(once((monitor) => monitor.log('mail-sender', { message: 'job_postponed', attempts: 4 }), 29)).toEqual(['ALARM FailingJobs']);
  });

  test('take failures of a worker in one period as none', () => {
    expect(once((monitor) => monitor.measure('AWS/Lambda Errors', { FunctionName: functionCalled('file-hasher') }, 1), 30)).toEqual([]);
  });

  test('take a few failures at the edge as none', () => {
    const { told } = run((monitor, minute) => {
      sweep(monitor);
      ofEdge(20)(monitor, 50, minute);
    }, 20);
    expect(told).toEqual([]);
  });

  test('tell of a message in a dead-letter queue once, not of a look at it, and that it is over while the message is still there', () => {
    const letters = queues.map(({ id }) => ({ id, QueueName: nameIn('AWS::SQS::Queue', `${id}DeadLetters`) }));
    const holding = (visible: number, looked: number) => (monitor: Monitor) => {
      sweep(monitor);
      for (const { QueueName } of letters) {
        monitor.measure('AWS/SQS ApproximateNumberOfMessagesVisible', { QueueName }, visible);
        monitor.measure('AWS/SQS ApproximateNumberOfMessagesNotVisible', { QueueName }, looked);
      }
    };
    const all = (state: string) => letters.map(({ id }) => `${state} ${id}DeadLetters`);
    const monitor = run(holding(0, 0), 10);
    run(holding(1, 0), 1, monitor);
    expect(monitor.told.toSorted()).toEqual(all('ALARM').toSorted());
    run(holding(1, 0), 20, monitor);
    run(holding(0, 1), 20, monitor);
    run(holding(0, 0), 20, monitor);
    expect(monitor.told.slice(letters.length).toSorted()).toEqual(all('OK').toSorted());
  });

  const names = service.ofType('AWS::CloudWatch::Alarm').map(({ properties }) => nameOfAlarm(properties.AlarmName ?? ''));

  test('are those that are tried here, and those by which a deployment is left again', () => {
    const stories = ['ServerErrors', 'WebhooksFailing', 'WebhooksRefused', 'SweeperStopped', ...queues.map(({ id }) => `${id}DeadLetters`)];
    expect([...new Set(names)].sort()).toEqual([...new Set(['', ...stories, ...bounds.map(([alarm]) => alarm)])].sort());
  });

  const firstOf = (type: string) => service.ofType(type)[0]?.arn ?? '';
  test.each([
    ['another account', 'cloudwatch.amazonaws.com', firstOf('AWS::CloudWatch::Alarm'), '210987654321'],
    ['another account’s alarm', 'cloudwatch.amazonaws.com', firstOf('AWS::CloudWatch::Alarm').replace(account, '210987654321'), account],
    ['no alarm', 'cloudwatch.amazonaws.com', 'arn:aws:s3:::bucket', account],
    ['another service', 's3.amazonaws.com', firstOf('AWS::CloudWatch::Alarm'), account],
  ])('have topics to which %s publishes nothing', (_, principal, source, sourceAccount) => {
    const topics = service.ofType('AWS::SNS::Topic').map(({ arn }) => arn);
    expect(topics).toHaveLength(2);
    expect(topics.filter((topic) => mayDeliver(service, principal, topic, source, sourceAccount))).toEqual([]);
  });

  test('cost what the page on Day 0 says, with all else that stands still, and with an edge', async () => {
    const [bill = {}, withEdge = {}] = await Promise.all(
      [false, true].map(async (edge) => standingBill(await productionTemplates({ withEdge: edge }))),
    );
    const dollars = (name: string) => `$${bill[name]?.dollars.toFixed(2)}`;
    const item = (name: string, words: string) => `${bill[name]?.count} ${words} (${dollars(name)})`;
    const totalOf = (each: typeof bill) =>
      Object.values(each)
        .reduce((sum, part) => sum + part.dollars, 0)
        .toFixed(2);
    const page = readFileSync(join(root, 'infra/day-0.md'), 'utf8');
    for (const sentence of [
      `At most $${totalOf(bill)} a month for being there: ${item('secrets', 'secrets')}, ${dollars('secret reads')} for their reads`,
      item('metrics that alarms watch', 'metrics with alarms'),
      item('custom metrics', 'of our own'),
      item('rules that name throttled keys', 'rules that name throttled keys'),
      `polls of ${service.ofType('AWS::Lambda::EventSourceMapping').length - 1} empty queues (${dollars('polls of empty queues')})`,
      `a dashboard (${dollars('dashboards')})`,
      `With the edge and a user pool that is $${totalOf(withEdge)}`,
    ])
      expect(page).toContain(sentence);
  });
});
