import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { addAlarmTopic } from '../alarms/alarm-topic.ts';
import { addApiAlarms } from '../alarms/api-alarms.ts';
import { addFunctionAlarms } from '../alarms/function-alarms.ts';
import { addJobAlarms } from '../alarms/job-alarms.ts';
import { addMailAlarms } from '../alarms/mail-alarms.ts';
import { addQueueAlarms } from '../alarms/queue-alarms.ts';
import { addTableAlarms } from '../alarms/table-alarms.ts';
import type { ApiStack } from './api-stack.ts';
import { addDashboard } from './dashboard.ts';
import type { DataStack } from './data-stack.ts';
import type { WorkerStack } from './worker-stack.ts';

export interface OperationsStackProps extends StackProps {
  data: DataStack;
  api: ApiStack;
  workers: WorkerStack;
}

/** What notifies the operator: a topic to subscribe to, the alarms that go to it, and a dashboard. */
export class OperationsStack extends Stack {
  readonly topic: Topic;

  constructor(scope: Construct, id: string, { data, api, workers, ...props }: OperationsStackProps) {
    super(scope, id, props);
    this.topic = addAlarmTopic(this);
    new CfnOutput(this, 'AlarmTopic', {
      value: this.topic.topicArn,
      description: 'Whoever is to be notified of alarms subscribes to this topic.',
    });
    const watched = { scope: this, topic: this.topic, data, api, workers };
    addApiAlarms(watched);
    addQueueAlarms(watched);
    const deadJobs = addJobAlarms(watched);
    addFunctionAlarms(watched);
    addTableAlarms(watched);
    addMailAlarms(watched);
    addDashboard(this, { data, api, workers, deadJobs });
  }
}
