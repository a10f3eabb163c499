import { Duration, Stack, type StackProps } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { jobKey } from '../../shared/db/keys.ts';
import { alarmedMessages } from '../../shared/log-messages.ts';
import type { FunctionDefinition } from '../bundles/find-functions.ts';
import { countLines, countOf } from '../constructs/log-lines.ts';
import { ServiceFunction, type SharedByFunctions } from '../constructs/service-function.ts';

/** The worker that runs on a schedule instead of a queue. */
const sweeper = 'sweeper';

export interface WorkerStackProps extends StackProps {
  functions: readonly FunctionDefinition[];
  shared: SharedByFunctions;
}

/** The workers: one for each queue, and the sweeper on its schedule. */
export class WorkerStack extends Stack {
  readonly functions: readonly ServiceFunction[];
  /** How many jobs were given up; every worker logs `job_dead` for each. */
  readonly deadJobs = countOf(this, 'dead-jobs');
  /** How many events were given up, and endpoints disabled because nothing was taken; the event sender logs `event_not_delivered` for each. */
  readonly failingEndpoints = countOf(this, 'failing-endpoints');
  /** How many files were found infected after buyers could have them; the scanner logs `approved_file_infected` for each. */
  readonly infectedOffers = countOf(this, 'infected-offers');
  /** How often events waited that nothing held back; the event sender logs `events_late` for each run that found it. */
  readonly lateEvents = countOf(this, 'late-events');
  /** How many payments were recorded without their license; the event projector logs `license_not_issued` for each. */
  readonly lateLicenses = countOf(this, 'late-licenses');
  /** How often a mail was put off because the account may not send now; the mail sender logs `job_throttled` for each. */
  readonly throttledMails = countOf(this, 'throttled-mails');
  /** How many mails SES will never take; the mail sender logs `mail_undeliverable` for each. */
  readonly undeliverableMails = countOf(this, 'undeliverable-mails');
  /** How often the sweeper could not take or send a job that was due; it logs `job_not_taken` or `job_not_sent` for each. */
  readonly unsweptJobs = countOf(this, 'unswept-jobs');

  constructor(scope: Construct, id: string, { functions, shared, ...props }: WorkerStackProps) {
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
    worker.lambda.addEventSource(new SqsEventSource(served.queue, { batchSize, reportBatchItemFailures: true, maxConcurrency }));
    countLines(this, worker, this.deadJobs, alarmedMessages.deadJobs);
    if (definition.name === 'event-publisher') worker.lambda.addEventSource(newEvents(shared));
    if (definition.name === 'event-projector') countLines(this, worker, this.lateLicenses, alarmedMessages.lateLicenses);
    if (definition.name === 'event-sender') {
      countLines(this, worker, this.failingEndpoints, alarmedMessages.failingEndpoints);
      countLines(this, worker, this.lateEvents, alarmedMessages.lateEvents);
    }
    if (definition.name === 'mail-sender') {
      countLines(this, worker, this.throttledMails, alarmedMessages.throttledMails);
      countLines(this, worker, this.undeliverableMails, alarmedMessages.undeliverableMails);
    }
    if (definition.name === 'file-scanner') countLines(this, worker, this.infectedOffers, alarmedMessages.infectedOffers);
    return worker;
  }

  private addSweeper(definition: FunctionDefinition, shared: SharedByFunctions): ServiceFunction {
    const worker = new ServiceFunction(this, definition.name, { definition, shared, timeoutSeconds: 60, memoryMb: 512 });
    countLines(this, worker, this.unsweptJobs, alarmedMessages.unsweptJobs);
    new Rule(this, 'SweepSchedule', {
      description: 'Sends jobs again that are due.',
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(worker.lambda, { event: RuleTargetInput.fromObject({}) })],
    });
    return worker;
  }
}

/**
 * The table tells of each event as its job is written, so that whoever caused it sends no message. What the
 * publisher does not take here comes with the sweeper: the stream is never waited for.
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
