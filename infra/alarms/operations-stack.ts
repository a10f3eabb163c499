import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { WatchedStacks } from './alarm.ts';
import { addAlarmTopic } from './alarm-topic.ts';
import { addApiAlarms } from './api-alarms.ts';
import { addDashboard } from './dashboard.ts';
import { addFunctionAlarms } from './function-alarms.ts';
import { addJobAlarms } from './job-alarms.ts';
import { addMailAlarms } from './mail-alarms.ts';
import { addQueueAlarms } from './queue-alarms.ts';
import { addTableAlarms } from './table-alarms.ts';

/** What notifies the operator: a topic to subscribe to, the alarms that go to it, and a dashboard. */
export class OperationsStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { data, api, workers, ...props }: StackProps & Pick<WatchedStacks, 'data' | 'api' | 'workers'>,
  ) {
    super(scope, id, props);
    const topic = addAlarmTopic(this, 'AlarmTopic', 'Whoever is to be notified of alarms subscribes to this topic.');
    const watched = { scope: this, topic, data, api, workers };
    addApiAlarms(watched);
    addQueueAlarms(watched);
    const deadJobs = addJobAlarms(watched);
    addFunctionAlarms(watched);
    addTableAlarms(watched);
    addMailAlarms(watched);
    addDashboard(watched, deadJobs);
  }
}
