import type { Metric, MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { alarmedMessages, type LogMessage } from '../../shared/logging/log-messages.ts';
import type { ServiceFunction } from '../stacks/service-function.ts';
import { sweeper, type WorkerStack } from '../stacks/worker-stack.ts';
import { addAlarms, fifteenMinutes, type WatchedStacks } from './alarm.ts';
import { countLines, measureLines, metricOfLines } from './log-lines.ts';

/** The attempt from which a job is more than unlucky: about six minutes after its first. */
const suspiciousAttempts = 4;
const maxDueSeconds = 900;

/** Work that fails, waits or is not looked for. Returns how many jobs were given up. */
export function addJobAlarms(watched: WatchedStacks): Metric {
  const deadJobs = addFailureAlarms(watched);
  addSweeperAlarms(watched);
  addOutcomeAlarms(watched);
  return deadJobs;
}

const workersOf = ({ functions }: WorkerStack) => functions.filter(({ node }) => node.id !== sweeper);
const functionOf = ({ functions }: WorkerStack, name: string): ServiceFunction => {
  const found = functions.find(({ node }) => node.id === name);
  if (!found) throw new Error(`There is no worker ${name} to watch.`);
  return found;
};

/** A count of lines with these messages of one worker. */
export function countOf(
  { workers }: WatchedStacks,
  worker: string,
  name: string,
  messages: readonly LogMessage[],
  options: MetricOptions = {},
): Metric {
  const metric = metricOfLines(workers, name, options);
  countLines(functionOf(workers, worker), metric, messages);
  return metric;
}

function addFailureAlarms(watched: WatchedStacks): Metric {
  const { workers } = watched;
  const deadJobs = metricOfLines(workers, 'dead-jobs');
  const failingJobs = metricOfLines(workers, 'failing-jobs', { period: fifteenMinutes });
  const often = FilterPattern.numberValue('$.attempts', '>=', suspiciousAttempts);
  for (const worker of workersOf(workers)) countLines(worker, deadJobs, alarmedMessages.deadJobs);
  for (const worker of workersOf(workers)) countLines(worker, failingJobs, alarmedMessages.failingJobs, often);
  addAlarms(watched, 'jobs', {
    DeadJobs: {
      metric: deadJobs,
      bound: { above: 0 },
      usersLose: 'A sale, mail, file or import is stuck for good until an operator steps in.',
      firstStep: 'List the dead jobs; each names its last failure. Mend the cause, then redrive.',
    },
    FailingJobs: {
      metric: failingJobs,
      bound: { above: 0 },
      // Late attempts are fifteen minutes apart, so that one period may miss them.
      periods: { breaching: 1, of: 2 },
      usersLose: 'A sale, mail, file or import fails again and again, and is given up when it is a day old.',
      firstStep: 'Group job_postponed in the logs by jobKind and failure: many of one kind are an outage, one alone is a job to look at.',
    },
  });
  return deadJobs;
}

function addSweeperAlarms(watched: WatchedStacks): void {
  const sweeps = functionOf(watched.workers, sweeper);
  const oldestDue = metricOfLines(watched.workers, 'oldest-due', { period: fifteenMinutes, statistic: 'Maximum' });
  for (const message of alarmedMessages.oldestDue) measureLines(sweeps, oldestDue, message, 'oldestDueSeconds');
  addAlarms(watched, 'jobs', {
    SweeperStopped: {
      metric: sweeps.lambda.metricInvocations({ period: fifteenMinutes, statistic: 'Sum' }),
      bound: { below: 1 },
      missing: 'breach',
      usersLose: 'Work whose first message was lost, and all that is tried again late, waits for good.',
      firstStep: 'Look at the rule SweepSchedule of the workers stack: is it enabled, and may it invoke sweeper?',
    },
    OverdueJobs: {
      metric: oldestDue,
      bound: { above: maxDueSeconds },
      missing: 'breach',
      usersLose: 'Work that is due is not begun for more than 15 minutes: licenses, mails, files or imports are late.',
      firstStep: 'Find sweep_finished in the log of sweeper. Without any it cannot read what is due; with them, look at the workers.',
    },
    UnsweptJobs: {
      metric: countOf(watched, sweeper, 'unswept-jobs', alarmedMessages.unsweptJobs),
      bound: { above: 0 },
      periods: { breaching: 3, of: 3 },
      usersLose: 'Mails, licenses, scans or imports whose first delivery failed are late.',
      firstStep: 'Read the log of sweeper: job_not_taken is the table or an unreadable job, job_not_sent a queue.',
    },
  });
}

/** What sellers and buyers meet of work that failed. */
function addOutcomeAlarms(watched: WatchedStacks): void {
  addAlarms(watched, 'jobs', {
    FailingEndpoints: {
      metric: countOf(watched, 'event-sender', 'failing-endpoints', alarmedMessages.failingEndpoints),
      bound: { above: 10 },
      usersLose: 'Sellers’ systems were not told of sales, refunds and activations after a day and more of attempts.',
      firstStep:
        'Group event_not_delivered in the log of event-sender by endpointId and reason: of one endpoint it is its seller’s to mend; of many, look at the way out of event-sender.',
    },
    LateEvents: {
      metric: countOf(watched, 'event-sender', 'late-events', alarmedMessages.lateEvents),
      bound: { above: 0 },
      periods: { breaching: 2, of: 2 },
      usersLose: 'Events that nothing holds back reach sellers’ systems more than 15 minutes late.',
      firstStep: 'Compare the age of the Delivery queue with the concurrency of event-sender, and read the log of sweeper.',
    },
    LateLicenses: {
      metric: countOf(watched, 'event-projector', 'late-licenses', alarmedMessages.lateLicenses),
      bound: { above: 0 },
      usersLose: 'Buyers have paid and wait for their license, which its job tries to issue for a day.',
      firstStep: 'Find license_not_issued in the log of event-projector: its error says why, its orderId which order to look at.',
    },
    OverRedeemedDiscounts: {
      metric: countOf(watched, 'event-projector', 'over-redeemed-discounts', alarmedMessages.overRedeemedDiscounts),
      bound: { above: 0 },
      usersLose: 'A seller sold more with a limited code than it allows: an order was paid after its place had gone to another.',
      firstStep:
        'Find discount_over_redeemed in the log of event-projector: its orderId was paid later than its session ended, or its events were late. Tell the seller.',
    },
    InfectedOffers: {
      metric: countOf(watched, 'file-scanner', 'infected-offers', alarmedMessages.infectedOffers),
      bound: { above: 0 },
      usersLose: 'Buyers may have downloaded a file that is now known to be malware; it was taken down.',
      firstStep: 'Find approved_file_infected in the log of file-scanner; the audit of that file lists the orders that were given it.',
    },
  });
}
