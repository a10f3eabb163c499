import { CfnOutput, Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { addMailAlarms } from '../alarms/mail-alarms.ts';
import { addAlarm, addQueueAlarms } from '../constructs/alarms.ts';
import { addDashboard } from '../constructs/dashboard.ts';
import type { ApiStack } from './api-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { WorkerStack } from './worker-stack.ts';

export interface OperationsStackProps extends StackProps {
  data: DataStack;
  api: ApiStack;
  workers: WorkerStack;
}

const period = Duration.minutes(5);
const hotOperations = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.UPDATE_ITEM,
  Operation.TRANSACT_WRITE_ITEMS,
];

/** What notifies the operator: a topic to subscribe to, the alarms that go to it, and a dashboard. */
export class OperationsStack extends Stack {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { data, api, workers, ...props }: OperationsStackProps) {
    super(scope, id, props);
    this.topic = new Topic(this, 'Alarms', { enforceSSL: true });
    new CfnOutput(this, 'AlarmTopic', {
      value: this.topic.topicArn,
      description: 'Whoever is to be notified of alarms subscribes to this topic.',
    });
    this.watchApi(api);
    for (const queue of data.queues.values()) addQueueAlarms(this, queue, this.topic);
    this.watchWorkers(workers);
    this.watchThrottles(data);
    addMailAlarms(this, { throttledMails: workers.throttledMails, undeliverableMails: workers.undeliverableMails, topic: this.topic });
    addDashboard(this, { data, api, workers });
  }

  private watchApi({ api, refusals }: ApiStack): void {
    addAlarm(this, 'ServerErrors', {
      metric: api.metricServerError({ period, statistic: 'Sum' }),
      above: 5,
      usersLose: 'Requests of apps, buyers or sellers fail on our side.',
      firstStep: 'Find request_failed in the logs; its request id is in the reply the caller saw.',
      topic: this.topic,
    });
    addAlarm(this, 'Refusals', {
      metric: refusals,
      above: 500,
      usersLose: 'Someone may be guessing tokens, signatures or keys, or flooding a limit that buyers share.',
      firstStep: 'Group request_refused in the logs by caller, code and subject; block an address at the CDN if one stands out.',
      topic: this.topic,
    });
    addAlarm(this, 'SlowReplies', {
      metric: api.metricLatency({ period, statistic: 'p99' }),
      above: 3000,
      periods: 3,
      usersLose: 'Apps wait seconds at start-up for their license check.',
      firstStep: 'Compare the latency of the functions and of the table on the dashboard.',
      topic: this.topic,
    });
  }

  private watchWorkers({
    functions,
    deadJobs,
    failingEndpoints,
    infectedOffers,
    lateEvents,
    lateLicenses,
    unsweptJobs,
  }: WorkerStack): void {
    addAlarm(this, 'DeadJobs', {
      metric: deadJobs,
      above: 0,
      usersLose: 'A sale, mail, file or import is stuck for good until an operator steps in.',
      firstStep: 'List the dead jobs; each names its last failure. Mend the cause, then redrive.',
      topic: this.topic,
    });
    addAlarm(this, 'FailingEndpoints', {
      metric: failingEndpoints,
      above: 10,
      usersLose: 'Sellers’ systems were not told of sales, refunds and activations after a day and more of attempts.',
      firstStep:
        'Group event_not_delivered in the log of event-sender by endpointId and reason: of one endpoint it is its seller’s to mend; of many, look at the way out of event-sender.',
      topic: this.topic,
    });
    addAlarm(this, 'InfectedOffers', {
      metric: infectedOffers,
      above: 0,
      usersLose: 'Buyers may have downloaded a file that is now known to be malware; it was taken down.',
      firstStep: 'Find approved_file_infected in the log of file-scanner; the audit of that file lists the orders that were given it.',
      topic: this.topic,
    });
    addAlarm(this, 'LateEvents', {
      metric: lateEvents,
      above: 0,
      periods: 2,
      usersLose: 'Events that nothing holds back reach sellers’ systems more than 15 minutes late.',
      firstStep: 'Compare the age of the Delivery queue with the concurrency of event-sender, and read the log of sweeper.',
      topic: this.topic,
    });
    addAlarm(this, 'LateLicenses', {
      metric: lateLicenses,
      above: 0,
      usersLose: 'Buyers have paid and wait for their license, which its job tries to issue for a day.',
      firstStep: 'Find license_not_issued in the log of event-projector: its error says why, its orderId which order to look at.',
      topic: this.topic,
    });
    addAlarm(this, 'UnsweptJobs', {
      metric: unsweptJobs,
      above: 0,
      periods: 3,
      usersLose: 'Mails, licenses, scans or imports whose first delivery failed are late.',
      firstStep: 'Read the log of sweeper: job_not_taken is the table or an unreadable job, job_not_sent a queue.',
      topic: this.topic,
    });
    for (const worker of functions) {
      const name = worker.node.id;
      addAlarm(this, `${name}-errors`, {
        metric: worker.lambda.metricErrors({ period, statistic: 'Sum' }),
        above: 0,
        periods: 2,
        usersLose: `What ${name} does for buyers and sellers is late.`,
        firstStep: 'Read its log; a refused setting or secret is the first line.',
        topic: this.topic,
      });
    }
  }

  private watchThrottles({ table }: DataStack): void {
    addAlarm(this, 'FunctionThrottles', {
      metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum', period }),
      above: 0,
      periods: 2,
      usersLose: 'Requests are refused or work is late, because the account runs no more functions at once.',
      firstStep: 'Raise the concurrency quota of the account, or find what took it.',
      topic: this.topic,
    });
    addAlarm(this, 'TableThrottles', {
      metric: table.metricThrottledRequestsForOperations({ period, operations: hotOperations }),
      above: 10,
      usersLose: 'License checks and sales are answered with 503.',
      firstStep: 'Look for one partition that takes all the traffic.',
      topic: this.topic,
    });
  }
}
