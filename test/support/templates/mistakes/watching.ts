import type { Json } from '../json.ts';
import { change, find, type Mistakes, remove, set } from './mistake.ts';

const topicPolicy = 'AWS::SNS::TopicPolicy';
const filter = 'AWS::Logs::MetricFilter';

const alarm = (id: RegExp, path: string, value?: unknown) => set('AWS::CloudWatch::Alarm', id, path, value);

/** What nobody would be told of. */
export const watchingMistakes: Mistakes = {
  'every alarm is switched on, and tells a topic of its Region, which lets CloudWatch publish, when it goes off and when it is over': {
    'CloudWatch may not publish to the topic of the alarms': change(topicPolicy, /./, ({ PolicyDocument }) => {
      PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Deny');
    }),
    'an alarm tells nobody': alarm(/^DeadJobs/, 'AlarmActions'),
    'an alarm does not tell when it is over': alarm(/^DeadJobs/, 'OKActions'),
    'the actions of an alarm are switched off': alarm(/^DeadJobs/, 'ActionsEnabled', false),
    'an alarm of the CDN tells a topic of another Region': alarm(/^EdgeErrors/, 'AlarmActions', [
      'arn:aws:sns:eu-west-1:123456789012:license-service-production-operations-Alarms',
    ]),
    'an alarm without a canary tells nobody': (stacks) => {
      for (const { template } of stacks)
        for (const [id, { Type }] of Object.entries(template.Resources))
          if (Type === 'AWS::CodeDeploy::DeploymentGroup') delete template.Resources[id];
    },
  },
  'every alarm that tells somebody leads to a heading of a runbook': {
    'the link to a runbook leads nowhere': alarm(/^DeadJobs/, 'AlarmDescription', 'Dead. Runbook: infra/alarms/runbooks/jobs.md#dead-jobs'),
    'an alarm leads to no runbook': alarm(/^DeadJobs/, 'AlarmDescription', 'Jobs are dead.'),
  },
  'nobody else’s service may publish alarms': {
    'alarms of any account may be published': change(topicPolicy, /./, ({ PolicyDocument, Topics: [Resource] }) =>
      PolicyDocument.Statement.push({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource,
      }),
    ),
  },
  'every alarm and graph is on a metric that exists, with dimensions that it has': {
    'an alarm is on a metric that does not exist': alarm(/^mailsendererrors/, 'MetricName', 'Failures'),
    'an alarm asks by a dimension that its metric does not have': alarm(/^HashWaiting/, 'Dimensions.0.Name', 'Queue'),
    'an alarm counts log lines that nothing counts': alarm(/^LateLicenses/, 'MetricName', 'late'),
  },
  'every dimension names a resource of the service': {
    'an alarm is on a queue that does not exist': alarm(/^HashWaiting/, 'Dimensions.0.Value', 'HashQueue'),
    'an alarm is on a firewall that does not exist': change('AWS::CloudWatch::Alarm', /^BlockedRequests/, ({ Dimensions }) => {
      Dimensions.find(({ Name }: Json) => Name === 'WebACL').Value = 'wall';
    }),
    'the alarm of a canary is on an alias that does not exist': change('AWS::CloudWatch::Alarm', /^Canarieslicenses/, ({ Dimensions }) =>
      Dimensions.find(({ Name }: Json) => Name === 'Resource').Value['Fn::Join'][1].splice(-1, 1, ':alive'),
    ),
  },
  'what users depend on is watched': {
    'an alarm is on client errors instead of our own': (stacks) => {
      for (const { template } of stacks)
        template.Resources = JSON.parse(JSON.stringify(template.Resources).replaceAll('"MetricName":"5xx"', '"MetricName":"4xx"'));
    },
    'the alarm of a worker watches another one': remove('AWS::CloudWatch::Alarm', /^filehashererrors/),
    'nothing watches how long mails wait': remove('AWS::CloudWatch::Alarm', /^MailWaiting/),
    'nothing watches dead letters': remove('AWS::CloudWatch::Alarm', /^WebhookDeadLetters/),
  },
  'every alarm is about too much of something bad, or about the absence of something good': {
    'an alarm goes off when all is well': alarm(/^DeadJobs/, 'ComparisonOperator', 'LessThanThreshold'),
    'an alarm goes off where nothing is measured': alarm(/^MailWaiting/, 'TreatMissingData', 'breaching'),
    'a sweeper that does not run is quiet': alarm(/^SweeperStopped/, 'TreatMissingData', 'notBreaching'),
  },
  'every alarm goes off within an hour': {
    'messages wait for long before anybody is told': alarm(/^MailWaiting/, 'Threshold', 3600),
    'an alarm waits for many periods': alarm(/^DeadJobs/, 'DatapointsToAlarm', 13),
  },
  'every sum counts a part of which nothing is measured as none': {
    'a gap in one operation hides the others': change('AWS::CloudWatch::Alarm', /^TableThrottles/, ({ Metrics }) => {
      const sum = Metrics.find(({ Expression }: Json) => Expression);
      sum.Expression = sum.Expression.replace('FILL(part1, 0)', 'part1');
    }),
  },
  'every alarm and graph adds up counts, and nothing else': {
    'an alarm on a count looks at its average': alarm(/^DeadJobs/, 'Statistic', 'Average'),
    'an alarm on an age adds it up': alarm(/^MailWaiting/, 'Statistic', 'Sum'),
  },
  'every metric filter counts lines that are written to its log, under the name for them': {
    'a filter matches no line': set(filter, /^mailsenderjobdead/, 'FilterPattern', '{ $.msg = "job_dead" }'),
    'a filter counts another message': set(filter, /^mailsenderjobdead/, 'FilterPattern', '{ $.message = "jobs_sent_again" }'),
    'a filter is on the access log': set(filter, /^admin/, 'LogGroupName', 'access'),
  },
  'every message that alarms count has a filter, and every filter an alarm': {
    'a message that an alarm is for is counted nowhere': remove(filter, /^filescannerapprovedfileinfected/),
    'what is counted alarms nobody': remove('AWS::CloudWatch::Alarm', /^LateLicenses/),
  },
  'every log is kept for a month or more, and not for ever': {
    'a log is kept for ever': set('AWS::Logs::LogGroup', /^admin/, 'RetentionInDays'),
    'logs of functions are kept for a day': set('AWS::Logs::LogGroup', /^eventsender/, 'RetentionInDays', 1),
  },
  'every function has a log of its own': {
    'two functions write to one log': (stacks) => {
      const { LoggingConfig } = find(stacks, 'AWS::Lambda::Function', /^pages/).resource.Properties;
      set('AWS::Lambda::Function', /^orders/, 'LoggingConfig', LoggingConfig)(stacks);
    },
  },
};
