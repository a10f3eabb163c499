import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { alarmedMessages } from '../../shared/log-messages.ts';
import { synthesizeAt } from '../support/synthesized.ts';

jest.setTimeout(60_000);

const workers = ['codeimporter', 'eventprojector', 'eventpublisher', 'eventsender', 'filehasher', 'filescanner', 'mailsender'];

/** Every alarm: what it measures, and above which value in how many periods of five minutes it goes off. */
const expected: Record<string, string> = {
  ServerErrors: 'AWS/ApiGateway 5xx Sum of Api > 5 in 1',
  SlowReplies: 'AWS/ApiGateway Latency p99 of Api > 3000 in 3',
  ...Object.fromEntries(
    ['Webhook', 'Mail', 'Hash', 'Scan', 'Import', 'Event', 'Delivery'].flatMap((queue) => [
      [`${queue}DeadLetters`, `AWS/SQS ApproximateNumberOfMessagesVisible Maximum of ${queue}DeadLetters > 0 in 1`],
      [`${queue}Waiting`, `AWS/SQS ApproximateAgeOfOldestMessage Maximum of ${queue}Queue > 900 in 2`],
    ]),
  ),
  DeadJobs: 'LicenseService license-service-staging-workers-dead-jobs Sum > 0 in 1',
  FailingEndpoints: 'LicenseService license-service-staging-workers-failing-endpoints Sum > 10 in 1',
  InfectedOffers: 'LicenseService license-service-staging-workers-infected-offers Sum > 0 in 1',
  Refusals: 'LicenseService license-service-staging-api-refusals Sum > 500 in 1',
  LateEvents: 'LicenseService license-service-staging-workers-late-events Sum > 0 in 2',
  LateLicenses: 'LicenseService license-service-staging-workers-late-licenses Sum > 0 in 1',
  UnsweptJobs: 'LicenseService license-service-staging-workers-unswept-jobs Sum > 0 in 3',
  ...Object.fromEntries([...workers, 'sweeper'].map((name) => [`${name}errors`, `AWS/Lambda Errors Sum of ${name}Function > 0 in 2`])),
  MailBounces: 'AWS/SES Reputation.BounceRate Maximum > 0.04 in 1 of 3600 s',
  MailComplaints: 'AWS/SES Reputation.ComplaintRate Maximum > 0.0008 in 1 of 3600 s',
  ThrottledMails: 'LicenseService license-service-staging-workers-throttled-mails Sum > 0 in 2 of 1800 s',
  UndeliverableMails: 'LicenseService license-service-staging-workers-undeliverable-mails Sum > 0 in 1',
  FunctionThrottles: 'AWS/Lambda Throttles Sum > 0 in 2',
  TableThrottles: 'GetItem BatchGetItem Query UpdateItem TransactWriteItems ThrottledRequests Sum of Table > 10 in 1',
};

type Json = any;
const withoutHash = (id: string) => id.replace(/[0-9A-F]{8}$/, '');

/** The resource that a dimension names by an export of its stack. */
const resourceOf = (dimensions: Json[] = []) =>
  dimensions.flatMap(({ Value }) => /Output(?:Ref|FnGetAtt)([A-Za-z]+?)[0-9A-F]{8}/.exec(Value['Fn::ImportValue'] ?? '')?.[1] ?? []);

function measure({ Properties: alarm }: Json): string {
  const parts: Json[] = (alarm.Metrics ?? []).flatMap(({ MetricStat }: Json) => MetricStat ?? []);
  const operations = parts.map(({ Metric }) => Metric.Dimensions.find(({ Name }: Json) => Name === 'Operation').Value);
  const metric = parts[0]?.Metric ?? alarm;
  const statistic = parts[0]?.Stat ?? alarm.Statistic ?? alarm.ExtendedStatistic;
  const [resource] = resourceOf(metric.Dimensions);
  const of = resource === undefined ? '' : ` of ${resource}`;
  const period = alarm.Period ?? parts[0].Period;
  const name = operations.length > 0 ? [...operations, metric.MetricName] : [metric.Namespace, metric.MetricName];
  const comparison = alarm.ComparisonOperator === 'GreaterThanThreshold' ? '>' : alarm.ComparisonOperator;
  return `${name.join(' ')} ${statistic}${of} ${comparison} ${alarm.Threshold} in ${alarm.EvaluationPeriods}${period === 300 ? '' : ` of ${period} s`}`;
}

describe('alarms', () => {
  let templates: Awaited<ReturnType<typeof synthesizeAt>>['templates'];
  beforeAll(async () => {
    ({ templates } = await synthesizeAt('staging'));
  });
  const alarms = () => Object.entries<Json>(templates.operations.findResources('AWS::CloudWatch::Alarm'));

  test('measure what they are named for, and go off above it', () => {
    expect(Object.fromEntries(alarms().map(([id, alarm]) => [withoutHash(id), measure(alarm)]))).toEqual(expected);
  });

  test('are quiet where nothing is measured, notify the topic, and add up all parts of a sum', () => {
    const [topic] = Object.keys(templates.operations.findResources('AWS::SNS::Topic'));
    for (const [, { Properties: alarm }] of alarms()) {
      expect(alarm).toMatchObject({ TreatMissingData: 'notBreaching', AlarmActions: [{ Ref: topic }] });
      const [sum, ...parts] = alarm.Metrics ?? [];
      if (sum) expect(sum.Expression).toBe(parts.map(({ Id }: Json) => Id).join(' + '));
    }
  });

  test('on log lines count each line of each worker that may log it', () => {
    const filters = Object.values<Json>(templates.workers.findResources('AWS::Logs::MetricFilter')).map(({ Properties: filter }) => {
      const [{ MetricName, MetricNamespace, MetricValue }] = filter.MetricTransformations;
      const log = withoutHash(filter.LogGroupName.Ref).replace(/Log$/, '');
      return `${log} ${filter.FilterPattern} ${MetricNamespace} ${MetricName} ${MetricValue}`;
    });
    const counted = (worker: string, messages: readonly string[], metric: string) =>
      messages.map((message) => `${worker} { $.message = "${message}" } LicenseService license-service-staging-workers-${metric} 1`);
    expect(filters.toSorted()).toEqual(
      [
        ...workers.flatMap((worker) => counted(worker, alarmedMessages.deadJobs, 'dead-jobs')),
        ...counted('eventsender', alarmedMessages.failingEndpoints, 'failing-endpoints'),
        ...counted('eventsender', alarmedMessages.lateEvents, 'late-events'),
        ...counted('mailsender', alarmedMessages.throttledMails, 'throttled-mails'),
        ...counted('mailsender', alarmedMessages.undeliverableMails, 'undeliverable-mails'),
        ...counted('filescanner', alarmedMessages.infectedOffers, 'infected-offers'),
        ...counted('eventprojector', alarmedMessages.lateLicenses, 'late-licenses'),
        ...counted('sweeper', alarmedMessages.unsweptJobs, 'unswept-jobs'),
      ].toSorted(),
    );
  });

  test('are on the logs to which the functions write', () => {
    const lambdas = Object.values<Json>(templates.workers.findResources('AWS::Lambda::Function'));
    const logs = lambdas.map(({ Properties }) => Properties.LoggingConfig.LogGroup.Ref);
    const filtered = Object.values<Json>(templates.workers.findResources('AWS::Logs::MetricFilter')).map(
      ({ Properties }) => Properties.LogGroupName.Ref,
    );
    expect(new Set(filtered)).toEqual(new Set(logs));
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
    expect(withoutHash(target.Arn['Fn::GetAtt'][0])).toBe('sweeperFunction');
    expect(JSON.parse(target.Input)).toEqual({});
    const allowed = Object.values<Json>(templates.workers.findResources('AWS::Lambda::Permission')).map(
      ({ Properties }) => `${Properties.Principal} ${withoutHash(Properties.FunctionName['Fn::GetAtt']?.[0] ?? '')}`,
    );
    expect(allowed).toContain('events.amazonaws.com sweeperFunction');
  });
});
