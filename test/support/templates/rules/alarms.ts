import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isAllowed } from '../evaluate.ts';
import { account } from '../identifiers.ts';
import type { Json } from '../json.ts';
import { type Measure, measuresOf } from '../measures.ts';
import type { Rules } from '../rule.ts';
import type { Resource, Service } from '../service.ts';
import { metricOf, type PublishedMetric } from '../specification.ts';
import { mayDeliver } from './invocations.ts';

/** What the specification leaves out: sums over all functions of the account, and what an HTTP API counts by stage. */
const alsoPublished: Readonly<Record<string, readonly string[][]>> = {
  'AWS/Lambda Errors': [[]],
  'AWS/WAFV2 BlockedRequests': [['Rule', 'WebACL']],
  'AWS/Lambda Throttles': [[]],
  'AWS/Lambda ConcurrentExecutions': [[]],
  'AWS/Lambda Duration': [[]],
  'AWS/Lambda Invocations': [[]],
  ...Object.fromEntries(
    ['4xx', '5xx', 'Count', 'Latency', 'IntegrationLatency', 'DataProcessed'].map((name) => [
      `AWS/ApiGateway ${name}`,
      [['ApiId', 'Stage']],
    ]),
  ),
};

/** What a dimension names. */
const named: Readonly<Record<string, string>> = {
  ApiId: 'AWS::ApiGatewayV2::Api',
  DistributionId: 'AWS::CloudFront::Distribution',
  FunctionName: 'AWS::Lambda::Function',
  QueueName: 'AWS::SQS::Queue',
  RuleName: 'AWS::Events::Rule',
  TableName: 'AWS::DynamoDB::GlobalTable',
  TopicName: 'AWS::SNS::Topic',
  WebACL: 'AWS::WAFv2::WebACL',
};

/** What a resource is called in the metrics of it. */
const isCalled = ({ type, name, ref, properties }: Resource, value: string) =>
  type === 'AWS::WAFv2::WebACL' ? properties.VisibilityConfig.MetricName === value : name === value || ref === value;

/** An alias is a dimension beside that of its function. */
function isAliasOf({ functionAt, aliasAt }: Service, { FunctionName, Resource: qualified }: Measure['dimensions']): boolean {
  return qualified === undefined || (aliasAt(qualified) !== undefined && functionAt(qualified)?.ref === FunctionName);
}

const isOwn = ({ namespace }: Measure) => !namespace.startsWith('AWS/');

function hasSet({ dimensions }: PublishedMetric, given: Measure['dimensions']): boolean {
  return dimensions.some(
    (set) =>
      set.length === Object.keys(given).length &&
      set.every(({ name, value }) => name in given && (value === undefined || value === name || value === given[name])),
  );
}

function isPublished(measure: Measure): boolean {
  const { namespace, name, dimensions } = measure;
  const sets = alsoPublished[`${namespace} ${name}`] ?? [];
  const names = Object.keys(dimensions);
  if (sets.some((set) => set.length === names.length && set.every((each) => names.includes(each)))) return true;
  const metric = metricOf(namespace, name);
  return metric !== undefined && hasSet(metric, dimensions);
}

/** What has to be watched: of each resource the metrics of which one alarm at least looks at one. */
function unwatched(service: Service): string[] {
  const alarmed = measuresOf(service).filter(({ alarm }) => alarm && !rollsBack(service, alarm));
  const watches = (names: readonly string[], dimension: string, value: string) =>
    alarmed.some(({ name, dimensions }) => names.includes(name) && dimensions[dimension] === value);
  const workers = service.functions.filter(({ arn }) =>
    service.ofType('AWS::Lambda::EventSourceMapping').some(({ properties }) => service.functionAt(properties.FunctionName)?.arn === arn),
  );
  const queues = service.ofType('AWS::SQS::Queue');
  const letters = new Set(queues.map(({ properties }) => properties.RedrivePolicy?.deadLetterTargetArn));
  return [
    ...service
      .ofType('AWS::ApiGatewayV2::Api')
      .flatMap(({ ref, id }) => [
        ...(watches(['5xx'], 'ApiId', ref) ? [] : [`errors of ${id}`]),
        ...(watches(['Latency', 'IntegrationLatency'], 'ApiId', ref) ? [] : [`latency of ${id}`]),
      ]),
    ...service
      .ofType('AWS::CloudFront::Distribution')
      .filter(({ ref }) => !watches(['5xxErrorRate'], 'DistributionId', ref))
      .map(({ id }) => `errors of ${id}`),
    ...workers.filter(({ ref }) => !watches(['Errors'], 'FunctionName', ref)).map(({ folder }) => `errors of ${folder}`),
    ...queues
      .filter(({ arn, name }) => letters.has(arn) && !watches(['ApproximateNumberOfMessagesVisible'], 'QueueName', name))
      .map(({ id }) => `messages in ${id}`),
    ...queues
      .filter(({ arn, name }) => !letters.has(arn) && !watches(['ApproximateAgeOfOldestMessage'], 'QueueName', name))
      .map(({ id }) => `age of ${id}`),
    ...service
      .ofType('AWS::DynamoDB::GlobalTable')
      .filter(({ name }) => !watches(['ThrottledRequests', 'ReadThrottleEvents'], 'TableName', name))
      .map(({ id }) => `throttles of ${id}`),
  ];
}

/** Things that are well when they happen: an alarm on them is about their absence. */
const welcome = ['Invocations', 'Count', 'Delivery', 'Send', 'NumberOfMessagesDeleted'];

/** What of the log is no count: a filter takes its value from the line. */
const isLevel = ({ ofType }: Service, { name }: Measure) =>
  ofType('AWS::Logs::MetricFilter').some(
    ({ properties: { MetricTransformations } }) =>
      MetricTransformations[0].MetricName === name && MetricTransformations[0].MetricValue !== '1',
  );

function wrongDirection(service: Service, measure: Measure): boolean {
  const { alarm, name } = measure;
  const { ComparisonOperator, TreatMissingData, Threshold, Metrics } = alarm?.properties ?? {};
  const isBelow = ComparisonOperator.startsWith('LessThan');
  if (isBelow) return !welcome.includes(name) || TreatMissingData !== 'breaching';
  const isAlone = Metrics === undefined;
  // A level that is told all the time is bad where it is not told.
  return (TreatMissingData === 'breaching' && !isLevel(service, measure)) || (isAlone && welcome.includes(name)) || Threshold < 0;
}

/** Of counts the sum, of a level its highest or an average, of times these or a percentile. */
function wrongStatistic(service: Service, measure: Measure): boolean {
  const { namespace, name, statistic } = measure;
  const published = namespace === 'AWS/WAFV2' ? 'Sum' : metricOf(namespace, name)?.statistic;
  const usual = !isOwn(measure) ? published : isLevel(service, measure) ? 'Maximum' : 'Sum';
  if (name === 'Count' && namespace === 'AWS/ApiGateway') return !['Sum', 'SampleCount'].includes(statistic);
  if (/Latency|Duration|Age|Rate$/.test(name)) return !/^(Average|Maximum|p\d+(\.\d+)?|tm\d+)$/.test(statistic);
  if (usual === 'Sum') return statistic !== 'Sum';
  return !['Average', 'Maximum', 'Minimum'].includes(statistic);
}

/** Whether an alarm tells nobody because a deployment looks at it, and does nothing else. */
function rollsBack({ ofType }: Service, { ref, properties: { AlarmActions = [], OKActions = [] } }: Resource): boolean {
  const isOfDeployment = ofType('AWS::CodeDeploy::DeploymentGroup').some(({ properties: { AlarmConfiguration } }) =>
    AlarmConfiguration?.Alarms?.some(({ Name }: { Name: string }) => Name === ref),
  );
  return isOfDeployment && AlarmActions.length === 0 && OKActions.length === 0;
}

/** Who is told of what. */
export const alarmRules: Rules = {
  'every alarm and graph is on a metric that exists, with dimensions that it has': (service) => {
    const counted = service.ofType('AWS::Logs::MetricFilter').map(({ properties: { MetricTransformations } }) => MetricTransformations[0]);
    const isCounted = ({ namespace, name, dimensions }: Measure) =>
      Object.keys(dimensions).length === 0 &&
      counted.some(({ MetricNamespace, MetricName }) => MetricNamespace === namespace && MetricName === name);
    return measuresOf(service)
      .filter((measure) => !(isOwn(measure) ? isCounted(measure) : isPublished(measure)))
      .map(({ by, namespace, name, dimensions }) => `${by}: ${namespace} ${name} by ${Object.keys(dimensions)}`);
  },

  'every dimension names a resource of the service': (service) =>
    measuresOf(service).flatMap(({ by, dimensions }) => [
      ...Object.entries(dimensions)
        .filter(([dimension]) => named[dimension])
        .filter(([dimension, value]) => !service.ofType(named[dimension] ?? '').some((resource) => isCalled(resource, value)))
        .map(([dimension, value]) => `${by}: ${dimension} ${value}`),
      ...(isAliasOf(service, dimensions) ? [] : [`${by}: ${dimensions['Resource']} of ${dimensions['FunctionName']}`]),
    ]),

  'every alarm is about too much of something bad, or about the absence of something good': (service) =>
    measuresOf(service)
      .filter((measure) => measure.alarm && !measure.alarm.properties.Metrics && wrongDirection(service, measure))
      .map(
        ({ by, name, alarm }) =>
          `${by}: ${name} ${alarm?.properties.ComparisonOperator}, missing data ${alarm?.properties.TreatMissingData}`,
      ),

  'every alarm goes off within an hour': (service) =>
    measuresOf(service)
      .filter(({ alarm }) => alarm)
      .filter((measure) => {
        const { EvaluationPeriods, DatapointsToAlarm = EvaluationPeriods, Threshold } = measure.alarm?.properties ?? {};
        const waited = /Age/.test(measure.name) || isLevel(service, measure) ? Threshold : 0;
        return waited + DatapointsToAlarm * measure.seconds > 3600;
      })
      .map(({ by }) => by),

  'every sum counts a part of which nothing is measured as none': ({ ofType }) =>
    ofType('AWS::CloudWatch::Alarm')
      .filter(({ properties: { Metrics = [] } }) =>
        Metrics.some(
          ({ Expression = '' }: Json) => Expression.includes(' + ') && /\w/.test(Expression.replaceAll(/FILL\(\w+, 0\)|\bDIFF\b/g, '')),
        ),
      )
      .map(({ id }) => id),

  'every alarm and graph adds up counts, and nothing else': (service) =>
    measuresOf(service)
      .filter((measure) => wrongStatistic(service, measure))
      .map(({ by, name, statistic }) => `${by}: ${statistic} of ${name}`),

  'what users depend on is watched': unwatched,

  'every alarm is switched on, and tells a topic of its Region, which lets CloudWatch publish, when it goes off and when it is over':
    async (service) => {
      const isOfRegion = (arn: string, { region }: Resource) => arn.startsWith(`arn:aws:sns:${region}:`);
      const faults = service
        .ofType('AWS::CloudWatch::Alarm')
        .filter((alarm) => !rollsBack(service, alarm))
        .map(async (alarm) => {
          const { id, arn, properties } = alarm;
          const { ActionsEnabled = true, AlarmActions = [], OKActions = [] } = properties;
          const open = await Promise.all(
            [...AlarmActions, ...OKActions].map(
              async (topic: string) => isOfRegion(topic, alarm) && (await mayDeliver(service, 'cloudwatch.amazonaws.com', topic, arn)),
            ),
          );
          return ActionsEnabled && AlarmActions.length > 0 && OKActions.length > 0 && open.every(Boolean) ? [] : [id];
        });
      return (await Promise.all(faults)).flat();
    },

  'every alarm that tells somebody leads to a heading of a runbook': ({ ofType }) =>
    ofType('AWS::CloudWatch::Alarm')
      .filter(({ properties }) => properties.AlarmActions?.length > 0)
      .filter(({ properties }) => !isRunbook(/ Runbook: (\S+)$/.exec(properties.AlarmDescription)?.[1] ?? ''))
      .map(({ id, properties }) => `${id}: ${properties.AlarmDescription}`),

  'nobody else’s service may publish alarms': async (service) => {
    const policy = service.ofType('AWS::SNS::TopicPolicy').flatMap(({ properties }) => properties.PolicyDocument.Statement);
    const own = service.ofType('AWS::CloudWatch::Alarm')[0]?.arn ?? '';
    const strangers = [
      ['cloudwatch.amazonaws.com', own, '210987654321'],
      ['cloudwatch.amazonaws.com', own.replace(account, '210987654321'), account],
      ['cloudwatch.amazonaws.com', 'arn:aws:s3:::bucket', account],
      ['s3.amazonaws.com', own, account],
    ] as const;
    const faults = service.ofType('AWS::SNS::Topic').flatMap(({ id, arn }) =>
      strangers.map(async ([principal, source, sourceAccount]) => {
        const context = { 'aws:SourceArn': source, 'aws:SourceAccount': sourceAccount };
        return (await isAllowed({ principal, action: 'sns:Publish', resource: arn, context, policy })) ? [`${id} from ${source}`] : [];
      }),
    );
    return (await Promise.all(faults)).flat();
  },
};

const root = join(import.meta.dirname, '..', '..', '..', '..');

/** Whether a link leads to a heading of a page that is there. */
function isRunbook(link: string): boolean {
  const [page = '', heading = ''] = link.split('#');
  if (!page.startsWith('infra/alarms/runbooks/') || !existsSync(join(root, page))) return false;
  return readFileSync(join(root, page), 'utf8')
    .split('\n')
    .some((line) => line.startsWith('## ') && line.slice(3).toLowerCase() === heading);
}
