import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { jobKey } from '../../shared/db/keys.ts';
import type { FunctionDefinition } from '../bundles/find-functions.ts';
import { type FunctionStackProps, ServiceFunction, type SharedByFunctions } from './service-function.ts';

/** The worker that runs on a schedule instead of a queue. */
export const sweeper = 'sweeper';

/** The workers: one for each queue, and the sweeper on its schedule. */
export class WorkerStack extends Stack {
  readonly functions: readonly ServiceFunction[];

  constructor(scope: Construct, id: string, { functions, shared, ...props }: FunctionStackProps) {
    super(scope, id, props);
    this.functions = functions.map((definition) =>
      definition.name === sweeper ? this.addSweeper(definition, shared) : this.addQueueWorker(definition, shared),
    );
  }

  private addQueueWorker(definition: FunctionDefinition, shared: SharedByFunctions): ServiceFunction {
    const [setting, served] = [...shared.data.queues].find(([, queue]) => queue.definition.worker === definition.name) ?? [];
    if (!served) throw new Error(`No queue in infra/constructs/queues.ts feeds ${definition.name}, and it has no routes.`);
    const { timeoutSeconds, memoryMb, batchSize, maxConcurrency } = served.definition;
    const sendsToItself = definition.settingNames.some((name) => name === setting);
    const worker = new ServiceFunction(this, definition.name, { definition, shared, timeoutSeconds, memoryMb, mayLoop: sendsToItself });
    worker.live.addEventSource(new SqsEventSource(served.queue, { batchSize, reportBatchItemFailures: true, maxConcurrency }));
    if (definition.name === 'event-publisher') worker.live.addEventSource(newEvents(shared));
    return worker;
  }

  private addSweeper(definition: FunctionDefinition, shared: SharedByFunctions): ServiceFunction {
    const worker = new ServiceFunction(this, definition.name, { definition, shared, timeoutSeconds: 60, memoryMb: 512 });
    new Rule(this, 'SweepSchedule', {
      description: 'Sends jobs again that are due.',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(worker.live, { event: RuleTargetInput.fromObject({}) })],
    });
    return worker;
  }
}

/**
 * The table tells of each event as its job is written, so that whoever caused it sends no message. What the publisher
 * does not process here, the sweeper sends: nothing waits for the stream.
 */
function newEvents({ data }: SharedByFunctions): DynamoEventSource {
  return new DynamoEventSource(data.table, {
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    retryAttempts: 2,
    reportBatchItemFailures: true,
    filters: [
      FilterCriteria.filter({
        eventName: FilterRule.isEqual('INSERT'),
        dynamodb: { Keys: { pk: { S: FilterRule.beginsWith(jobKey('publish-event:').pk) } } },
      }),
    ],
  });
}
