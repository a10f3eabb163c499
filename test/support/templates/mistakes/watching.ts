import type { Json } from '../json.ts';
import { change, type Mistake, remove } from './mistake.ts';

const told =
  'every alarm is switched on, and tells a topic of its Region, which lets CloudWatch publish, when it goes off and when it is over';

const alarm = (id: RegExp, edit: (properties: Json) => void) => change('AWS::CloudWatch::Alarm', id, edit);

/** What nobody would be told of. */
export const watchingMistakes: readonly Mistake[] = [
  {
    mistake: 'CloudWatch may not publish to the topic of the alarms',
    breaks: told,
    plant: change('AWS::SNS::TopicPolicy', /./, ({ PolicyDocument }) => {
      PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Deny');
    }),
  },
  {
    mistake: 'an alarm tells nobody',
    breaks: told,
    plant: alarm(/^DeadJobs/, (properties) => {
      delete properties.AlarmActions;
    }),
  },
  {
    mistake: 'an alarm does not tell when it is over',
    breaks: told,
    plant: alarm(/^DeadJobs/, (properties) => {
      delete properties.OKActions;
    }),
  },
  {
    mistake: 'the link to a runbook leads nowhere',
    breaks: 'every alarm that tells somebody leads to a heading of a runbook',
    plant: alarm(/^DeadJobs/, (properties) => {
      properties.AlarmDescription = properties.AlarmDescription.replace('#deadjobs', '#dead-jobs');
    }),
  },
  {
    mistake: 'an alarm leads to no runbook',
    breaks: 'every alarm that tells somebody leads to a heading of a runbook',
    plant: alarm(/^DeadJobs/, (properties) => {
      properties.AlarmDescription = 'Jobs are dead.';
    }),
  },
  {
    mistake: 'the actions of an alarm are switched off',
    breaks: told,
    plant: alarm(/^DeadJobs/, (properties) => {
      properties.ActionsEnabled = false;
    }),
  },
  {
    mistake: 'alarms of any account may be published',
    breaks: 'nobody else’s service may publish alarms',
    plant: change('AWS::SNS::TopicPolicy', /./, ({ PolicyDocument, Topics: [Resource] }) => {
      PolicyDocument.Statement.push({
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource,
      });
    }),
  },
  {
    mistake: 'an alarm is on a metric that does not exist',
    breaks: 'every alarm and graph is on a metric that exists, with dimensions that it has',
    plant: alarm(/^mailsendererrors/, (properties) => {
      properties.MetricName = 'Failures';
    }),
  },
  {
    mistake: 'an alarm is on a metric of another kind of API',
    breaks: 'every alarm and graph is on a metric that exists, with dimensions that it has',
    plant: alarm(/^SlowReplies/, (properties) => {
      properties.MetricName = 'Latencies';
    }),
  },
  {
    mistake: 'an alarm asks by a dimension that its metric does not have',
    breaks: 'every alarm and graph is on a metric that exists, with dimensions that it has',
    plant: alarm(/^HashWaiting/, ({ Dimensions: [dimension] }) => {
      dimension.Name = 'Queue';
    }),
  },
  {
    mistake: 'an alarm counts log lines that nothing counts',
    breaks: 'every alarm and graph is on a metric that exists, with dimensions that it has',
    plant: alarm(/^LateLicenses/, (properties) => {
      properties.MetricName += 's';
    }),
  },
  {
    mistake: 'an alarm is on a queue that does not exist',
    breaks: 'every dimension names a resource of the service',
    plant: alarm(/^HashWaiting/, ({ Dimensions: [dimension] }) => {
      dimension.Value = 'HashQueue';
    }),
  },
  {
    mistake: 'an alarm is on client errors instead of our own',
    breaks: 'what users depend on is watched',
    plant: (stacks) => {
      for (const { template } of stacks) {
        const text = JSON.stringify(template.Resources).replaceAll('"MetricName":"5xx"', '"MetricName":"4xx"');
        template.Resources = JSON.parse(text);
      }
    },
  },
  {
    mistake: 'the alarm of a worker watches another one',
    breaks: 'what users depend on is watched',
    plant: remove('AWS::CloudWatch::Alarm', /^filehashererrors/),
  },
  {
    mistake: 'nothing watches how long mails wait',
    breaks: 'what users depend on is watched',
    plant: remove('AWS::CloudWatch::Alarm', /^MailWaiting/),
  },
  {
    mistake: 'nothing watches dead letters',
    breaks: 'what users depend on is watched',
    plant: remove('AWS::CloudWatch::Alarm', /^WebhookDeadLetters/),
  },
  {
    mistake: 'an alarm goes off when all is well',
    breaks: 'every alarm is about too much of something bad, or about the absence of something good',
    plant: alarm(/^DeadJobs/, (properties) => {
      properties.ComparisonOperator = 'LessThanThreshold';
    }),
  },
  {
    mistake: 'an alarm goes off where nothing is measured',
    breaks: 'every alarm is about too much of something bad, or about the absence of something good',
    plant: alarm(/^MailWaiting/, (properties) => {
      properties.TreatMissingData = 'breaching';
    }),
  },
  {
    mistake: 'an alarm on a count looks at its average',
    breaks: 'every alarm and graph adds up counts, and nothing else',
    plant: alarm(/^DeadJobs/, (properties) => {
      properties.Statistic = 'Average';
    }),
  },
  {
    mistake: 'an alarm on an age adds it up',
    breaks: 'every alarm and graph adds up counts, and nothing else',
    plant: alarm(/^MailWaiting/, (properties) => {
      properties.Statistic = 'Sum';
    }),
  },
  {
    mistake: 'a filter matches no line',
    breaks: 'every metric filter counts lines that are written to its log, under the name for them',
    plant: change('AWS::Logs::MetricFilter', /^mailsenderjobdead/, (properties) => {
      properties.FilterPattern = '{ $.msg = "job_dead" }';
    }),
  },
  {
    mistake: 'a filter counts another message',
    breaks: 'every metric filter counts lines that are written to its log, under the name for them',
    plant: change('AWS::Logs::MetricFilter', /^mailsenderjobdead/, (properties) => {
      properties.FilterPattern = '{ $.message = "jobs_sent_again" }';
    }),
  },
  {
    mistake: 'a filter is on the access log',
    breaks: 'every metric filter counts lines that are written to its log, under the name for them',
    plant: change('AWS::Logs::MetricFilter', /^admin/, (properties) => {
      properties.LogGroupName = 'access';
    }),
  },
  {
    mistake: 'a message that an alarm is for is counted nowhere',
    breaks: 'every message that alarms count has a filter, and every filter an alarm',
    plant: remove('AWS::Logs::MetricFilter', /^filescannerapprovedfileinfected/),
  },
  {
    mistake: 'what is counted alarms nobody',
    breaks: 'every message that alarms count has a filter, and every filter an alarm',
    plant: remove('AWS::CloudWatch::Alarm', /^LateLicenses/),
  },
  {
    mistake: 'a log is kept for ever',
    breaks: 'every function may write to the log that it is given, which is kept for a time',
    plant: change('AWS::Logs::LogGroup', /^admin/, (properties) => {
      delete properties.RetentionInDays;
    }),
  },
];
