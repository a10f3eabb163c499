import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { alarmedMessages, logMessages } from '../../../shared/log-messages.ts';
import { synthesizeAt } from '../../support/synthesized.ts';
import { stacksAt } from '../../support/templates/stacks-at.ts';

jest.setTimeout(60_000);
const root = join(import.meta.dirname, '..', '..', '..');

const workers = ['codeimporter', 'eventprojector', 'eventpublisher', 'eventsender', 'filehasher', 'filescanner', 'mailsender'];

const queues = ['Webhook', 'Mail', 'Hash', 'Scan', 'Import', 'Event', 'Delivery'];

/** Every alarm: what it measures, beyond which value in how many periods it goes off, and whether a gap is quiet or a breach. */
const expected: Record<string, string> = {
  ServerErrors: 'IF(failures >= 5, 100 * failures / requests, 0) > 1 in 1 of 1 x 300 s, quiet',
  WebhooksFailing: 'LicenseService license-service-staging-api-failed-webhooks Sum > 0 in 1 of 1 x 300 s, quiet',
  WebhooksRefused: 'LicenseService license-service-staging-api-refused-webhooks Sum > 2 in 1 of 1 x 900 s, quiet',
  Refusals: 'LicenseService license-service-staging-api-refusals Sum > 500 in 1 of 1 x 300 s, quiet',
  SlowReplies: 'AWS/ApiGateway Latency p99 of Api > 3000 in 3 of 3 x 300 s, quiet',
  SlowLicenses: 'AWS/Lambda Duration p99 of licensesFunction > 1500 in 3 of 3 x 300 s, quiet',
  ...Object.fromEntries(
    queues.flatMap((queue) => [
      [`${queue}DeadLetters`, 'DIFF(FILL(visible, 0) + FILL(looked, 0)) > 0.1 in 1 of 2 x 300 s, quiet'],
      [`${queue}Waiting`, `AWS/SQS ApproximateAgeOfOldestMessage Maximum of ${queue}Queue > 900 in 2 of 2 x 300 s, quiet`],
    ]),
  ),
  DeadJobs: 'LicenseService license-service-staging-workers-dead-jobs Sum > 0 in 1 of 1 x 300 s, quiet',
  FailingJobs: 'LicenseService license-service-staging-workers-failing-jobs Sum > 0 in 1 of 2 x 900 s, quiet',
  SweeperStopped: 'AWS/Lambda Invocations Sum of sweeperFunction < 1 in 1 of 1 x 900 s, breach',
  OverdueJobs: 'LicenseService license-service-staging-workers-oldest-due Maximum > 900 in 1 of 1 x 900 s, breach',
  UnsweptJobs: 'LicenseService license-service-staging-workers-unswept-jobs Sum > 0 in 3 of 3 x 300 s, quiet',
  FailingEndpoints: 'LicenseService license-service-staging-workers-failing-endpoints Sum > 10 in 1 of 1 x 300 s, quiet',
  LateEvents: 'LicenseService license-service-staging-workers-late-events Sum > 0 in 2 of 2 x 300 s, quiet',
  LateLicenses: 'LicenseService license-service-staging-workers-late-licenses Sum > 0 in 1 of 1 x 300 s, quiet',
  InfectedOffers: 'LicenseService license-service-staging-workers-infected-offers Sum > 0 in 1 of 1 x 300 s, quiet',
  ...Object.fromEntries(
    [...workers, 'sweeper'].map((name) => [`${name}errors`, `AWS/Lambda Errors Sum of ${name}Function > 0 in 2 of 2 x 300 s, quiet`]),
  ),
  FunctionThrottles: 'AWS/Lambda Throttles Sum > 0 in 2 of 2 x 300 s, quiet',
  TableThrottles: `${sumOfParts(7)} > 10 in 1 of 1 x 300 s, quiet`,
  PartitionThrottles: `${sumOfParts(6)} > 10 in 1 of 1 x 300 s, quiet`,
  MailBounces: 'AWS/SES Reputation.BounceRate Maximum > 0.04 in 1 of 1 x 3600 s, quiet',
  MailComplaints: 'AWS/SES Reputation.ComplaintRate Maximum > 0.0008 in 1 of 1 x 3600 s, quiet',
  ThrottledMails: 'LicenseService license-service-staging-workers-throttled-mails Sum > 0 in 2 of 2 x 1800 s, quiet',
  UndeliverableMails: 'LicenseService license-service-staging-workers-undeliverable-mails Sum > 0 in 1 of 1 x 300 s, quiet',
};

/** What each alarm with an expression computes it from. */
const parts: Record<string, Record<string, string>> = {
  ServerErrors: { failures: 'AWS/ApiGateway 5xx Sum of Api', requests: 'AWS/ApiGateway Count Sum of Api' },
  ...Object.fromEntries(
    queues.map((queue) => [
      `${queue}DeadLetters`,
      {
        visible: `AWS/SQS ApproximateNumberOfMessagesVisible Average of ${queue}DeadLetters`,
        looked: `AWS/SQS ApproximateNumberOfMessagesNotVisible Average of ${queue}DeadLetters`,
      },
    ]),
  ),
  TableThrottles: numbered(
    ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'].map(
      (operation) => `AWS/DynamoDB ThrottledRequests Sum of Operation=${operation} Table`,
    ),
  ),
  PartitionThrottles: numbered(
    ['', 'GlobalSecondaryIndexName=list ', 'GlobalSecondaryIndexName=pending '].flatMap((index) =>
      ['Read', 'Write'].map((kind) => `AWS/DynamoDB ${kind}ThrottleEvents Sum of ${index}Table`),
    ),
  ),
};
function numbered(texts: string[]) {
  return Object.fromEntries(texts.map((text, index) => [`part${index}`, text]));
}
function sumOfParts(count: number) {
  return Array.from({ length: count }, (_, index) => `FILL(part${index}, 0)`).join(' + ');
}

type Json = any;
const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');
const kinds = new Map<string, string>([
  ['GreaterThanThreshold', '>'],
  ['LessThanThreshold', '<'],
  ['notBreaching', 'quiet'],
  ['breaching', 'breach'],
]);

/** What a dimension names: a text, or the resource that an export of its stack leads to. */
const dimensionOf = ({ Name, Value }: Json) =>
  typeof Value === 'string'
    ? `${Name}=${Value}`
    : (/Output(?:Ref|FnGetAtt)([A-Za-z]+?)[0-9A-F]{8}/.exec(Value['Fn::ImportValue'])?.[1] ?? '');

function describeMetric({ Namespace, MetricName, Dimensions = [] }: Json, statistic: string): string {
  const of = Dimensions.map(dimensionOf).join(' ');
  return `${Namespace} ${MetricName} ${statistic}${of === '' ? '' : ` of ${of}`}`;
}

/** What decides: one metric, or the one expression that is returned. */
function describeAlarm({ Properties: alarm }: Json): string {
  const returned = (alarm.Metrics ?? []).filter(({ ReturnData }: Json) => ReturnData !== false);
  expect(returned.length).toBeLessThan(2);
  const period = alarm.Period ?? alarm.Metrics.find(({ MetricStat }: Json) => MetricStat).MetricStat.Period;
  const measured = returned[0]?.Expression ?? describeMetric(alarm, alarm.Statistic ?? alarm.ExtendedStatistic);
  const bound = `${kinds.get(alarm.ComparisonOperator)} ${alarm.Threshold}`;
  const periods = `${alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods} of ${alarm.EvaluationPeriods} x ${period} s`;
  return `${measured} ${bound} in ${periods}, ${kinds.get(alarm.TreatMissingData)}`;
}

describe('alarms', () => {
  let templates: Awaited<ReturnType<typeof synthesizeAt>>['templates'];
  beforeAll(async () => {
    ({ templates } = await synthesizeAt('staging'));
  });
  const alarms = () => Object.entries<Json>(templates.operations.findResources('AWS::CloudWatch::Alarm'));

  test('measure what they are named for, and go off beyond their bound', () => {
    expect(Object.fromEntries(alarms().map(([id, alarm]) => [withoutHash(id), describeAlarm(alarm)]))).toEqual(expected);
  });

  test('with an expression compute it from metrics of one period and a gap of none stops the others', () => {
    const computed = alarms().flatMap(([id, { Properties }]) =>
      Properties.Metrics ? [[withoutHash(id), Properties.Metrics] as const] : [],
    );
    const described = computed.map(([id, metrics]) => [
      id,
      Object.fromEntries(
        metrics.flatMap(({ Id, MetricStat }: Json) => (MetricStat ? [[Id, describeMetric(MetricStat.Metric, MetricStat.Stat)]] : [])),
      ),
    ]);
    expect(Object.fromEntries(described)).toEqual(parts);
    for (const [, metrics] of computed) {
      const stats = metrics.flatMap(({ MetricStat }: Json) => MetricStat ?? []);
      expect(new Set(stats.map(({ Period }: Json) => Period)).size).toBe(1);
      expect(stats.length).toBeLessThanOrEqual(10);
    }
  });

  test('tell the topic when they go off and when it is over, under a name that says the stage', () => {
    const [topic] = Object.keys(templates.operations.findResources('AWS::SNS::Topic'));
    for (const [id, { Properties: alarm }] of alarms()) {
      expect(alarm).toMatchObject({ AlarmActions: [{ Ref: topic }], OKActions: [{ Ref: topic }] });
      expect(alarm.ActionsEnabled ?? true).toBe(true);
      expect(alarm.AlarmName.replaceAll('-', '')).toBe(`licenseservicestagingoperations${withoutHash(id)}`);
    }
  });

  test('on log lines count each line of each worker that may log it', () => {
    const filters = Object.values<Json>(templates.workers.findResources('AWS::Logs::MetricFilter')).map(({ Properties: filter }) => {
      const [{ MetricName, MetricNamespace, MetricValue }] = filter.MetricTransformations;
      const log = withoutHash(filter.LogGroupName.Ref).replace(/Log$/, '');
      return `${log} ${filter.FilterPattern} ${MetricNamespace} ${MetricName} ${MetricValue}`;
    });
    const into = (metric: string, value = '1') => `LicenseService license-service-staging-workers-${metric} ${value}`;
    const counted = (worker: string, messages: readonly string[], metric: string) =>
      messages.map((message) => `${worker} { $.message = "${message}" } ${into(metric)}`);
    expect(filters.toSorted()).toEqual(
      [
        ...workers.flatMap((worker) => counted(worker, alarmedMessages.deadJobs, 'dead-jobs')),
        ...workers.map((worker) => `${worker} { ($.message = "job_postponed") && ($.attempts >= 4) } ${into('failing-jobs')}`),
        ...counted('eventsender', alarmedMessages.failingEndpoints, 'failing-endpoints'),
        ...counted('eventsender', alarmedMessages.lateEvents, 'late-events'),
        ...counted('mailsender', alarmedMessages.throttledMails, 'throttled-mails'),
        ...counted('mailsender', alarmedMessages.undeliverableMails, 'undeliverable-mails'),
        ...counted('filescanner', alarmedMessages.infectedOffers, 'infected-offers'),
        ...counted('eventprojector', alarmedMessages.lateLicenses, 'late-licenses'),
        ...counted('sweeper', alarmedMessages.unsweptJobs, 'unswept-jobs'),
        `sweeper { $.message = "sweep_finished" } ${into('oldest-due', '$.oldestDueSeconds')}`,
      ].toSorted(),
    );
  });

  test('on webhooks count what the gateway answered on both routes, from the log to which it writes', () => {
    const [stage] = Object.values<Json>(templates.api.findResources('AWS::ApiGatewayV2::Stage'));
    const [log] = stage.Properties.AccessLogSettings.DestinationArn['Fn::GetAtt'];
    const filters = Object.values<Json>(templates.api.findResources('AWS::Logs::MetricFilter')).map(({ Properties }) => Properties);
    const onAccess = filters.filter(({ LogGroupName }) => LogGroupName.Ref === log);
    const routes = '(($.route = "POST /v1/payment/webhook") || ($.route = "POST /v1/payment/connect/webhook"))';
    expect(onAccess.map(({ FilterPattern, MetricTransformations: [{ MetricName }] }) => [MetricName, FilterPattern])).toEqual([
      ['license-service-staging-api-failed-webhooks', `{ ${routes} && ($.status = "5*") }`],
      ['license-service-staging-api-refused-webhooks', `{ ${routes} && ($.status = "4*") }`],
    ]);
    expect(JSON.parse(stage.Properties.AccessLogSettings.Format)).toMatchObject({ route: '$context.routeKey', status: '$context.status' });
    const served = Object.values<Json>(templates.api.findResources('AWS::ApiGatewayV2::Route')).map(
      ({ Properties }) => Properties.RouteKey,
    );
    expect(served).toEqual(expect.arrayContaining(['POST /v1/payment/webhook', 'POST /v1/payment/connect/webhook']));
    expect(stage.Properties.DefaultRouteSettings).toMatchObject({ DetailedMetricsEnabled: true });
  });

  test('are on the logs to which the functions write', () => {
    const lambdas = Object.values<Json>(templates.workers.findResources('AWS::Lambda::Function'));
    const logs = lambdas.map(({ Properties }) => Properties.LoggingConfig.LogGroup.Ref);
    const filtered = Object.values<Json>(templates.workers.findResources('AWS::Logs::MetricFilter')).map(
      ({ Properties }) => Properties.LogGroupName.Ref,
    );
    expect(new Set(filtered)).toEqual(new Set(logs));
  });

  test('on throttles are met by the names of the keys: of the table and of each index, and only those that are throttled', () => {
    const [{ Properties }] = Object.values<Json>(templates.data.findResources('AWS::DynamoDB::GlobalTable'));
    const throttledKeys = { Enabled: true, Mode: 'THROTTLED_KEYS' };
    const [replica] = Properties.Replicas;
    expect(replica.ContributorInsightsSpecification).toEqual(throttledKeys);
    expect(
      replica.GlobalSecondaryIndexes.map(({ IndexName, ContributorInsightsSpecification }: Json) => [
        IndexName,
        ContributorInsightsSpecification,
      ]),
    ).toEqual(Properties.GlobalSecondaryIndexes.map(({ IndexName }: Json) => [IndexName, throttledKeys]));
  });

  test('name operations of the table that are all it is asked for', () => {
    const used = [...readFileSync(join(root, 'shared/db/signed-dynamo.ts'), 'utf8').matchAll(/send\('(\w+)'/g)].map(
      ([, name = '']) => name,
    );
    const watched = Object.values(parts['TableThrottles'] ?? {}).map((part) => /Operation=(\w+)/.exec(part)?.[1]);
    expect(watched.toSorted()).toEqual(used.toSorted());
  });

  test('come after messages that are given up after five attempts and kept for 14 days, and not handled twice at once', () => {
    const queues = Object.entries<Json>(templates.data.findResources('AWS::SQS::Queue'));
    const of = (suffix: string) => queues.filter(([id]) => withoutHash(id).endsWith(suffix)).map(([, { Properties }]) => Properties);
    expect(of('DeadLetters').map(({ MessageRetentionPeriod }) => MessageRetentionPeriod)).toEqual(
      Array.from({ length: 7 }, () => 14 * 86_400),
    );
    expect(of('Queue').map(({ RedrivePolicy }) => RedrivePolicy.maxReceiveCount)).toEqual([5, 5, 5, 5, 5, 5, 5]);
    for (const [, { Properties }] of Object.entries<Json>(templates.workers.findResources('AWS::Lambda::EventSourceMapping'))) {
      expect(Properties.FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    }
  });

  test('the sweeper is invoked every five minutes, with an event that resumes nothing', () => {
    const [rule] = Object.values<Json>(templates.workers.findResources('AWS::Events::Rule'));
    const [target] = rule.Properties.Targets;
    expect(rule.Properties).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' });
    expect(withoutHash(target.Arn.Ref)).toBe('sweeperLive');
    expect(JSON.parse(target.Input)).toEqual({});
    const allowed = Object.values<Json>(templates.workers.findResources('AWS::Lambda::Permission')).map(
      ({ Properties }) => `${Properties.Principal} ${withoutHash(Properties.FunctionName.Ref)}`,
    );
    expect(allowed).toContain('events.amazonaws.com sweeperLive');
  });

  test('lead each to a runbook of its own, and no runbook is of an alarm that is not there', async () => {
    const pages = readdirSync(join(root, 'infra/alarms/runbooks')).map((name) => `infra/alarms/runbooks/${name}`);
    const headings = pages.flatMap((page) =>
      [...readFileSync(join(root, page), 'utf8').matchAll(/^## (\S+)$/gm)].map(([, heading = '']) => ({ page, heading })),
    );
    const { stacks } = await stacksAt('staging');
    const telling = stacks
      .filter(({ name }) => /-(operations|edge)$/.test(name))
      .flatMap(({ template }) => Object.values(template.Resources).filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm'));
    const links = telling.map(({ Properties }) => [
      Properties.AlarmName.replace(/^license-service-staging-(operations|edge)-/, ''),
      / Runbook: (\S+)$/.exec(Properties.AlarmDescription)?.[1],
    ]);
    expect(Object.fromEntries(links)).toEqual(
      Object.fromEntries(headings.map(({ page, heading }) => [heading, `${page}#${heading.toLowerCase()}`])),
    );
    expect(headings).toHaveLength(links.length);
  });

  test('have runbooks whose every log message is one, and whose every queue and alarm is there', () => {
    const pages = readdirSync(join(root, 'infra/alarms/runbooks')).map((name) =>
      readFileSync(join(root, 'infra/alarms/runbooks', name), 'utf8'),
    );
    const messages = pages.flatMap((text) =>
      [...text.matchAll(/message (?:= |in \[)((?:"\w+"(?:, )?)+)/g)].flatMap(([, list = '']) => list.match(/\w+/g) ?? []),
    );
    expect(messages.length).toBeGreaterThan(8);
    for (const message of messages) expect(logMessages).toContain(message);
    const emptied = pages.flatMap((text) => [...text.matchAll(/ops -- empty (\w+)/g)].map(([, queue]) => queue));
    for (const queue of emptied) expect(queues).toContain(queue);
  });
});
