import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { addAlarms, fiveMinutes, type WatchedStacks } from './alarm.ts';

/** The function that every start of an app waits for. */
const licenseFunction = 'licenses';

/** Functions that fail, are slow or may not run. */
export function addFunctionAlarms(watched: WatchedStacks): void {
  for (const { lambda, node } of watched.workers.functions) {
    addAlarms(watched, 'functions', {
      [`${node.id}-errors`]: {
        metric: lambda.metricErrors({ period: fiveMinutes, statistic: 'Sum' }),
        bound: { above: 0 },
        periods: { breaching: 2, of: 2 },
        usersLose: `What ${node.id} does for buyers and sellers is late.`,
        firstStep: 'Read its log; a refused setting or secret is the first line.',
      },
    });
  }
  const licenses = watched.api.functions.find(({ node }) => node.id === licenseFunction);
  if (licenses) {
    addAlarms(watched, 'functions', {
      SlowLicenses: {
        metric: licenses.lambda.metricDuration({ period: fiveMinutes, statistic: 'p99' }),
        bound: { above: 1500 },
        periods: { breaching: 3, of: 3 },
        usersLose: 'Apps wait at their start for the check of their license.',
        firstStep: 'Compare the duration of licenses with the latency and the throttles of the table.',
      },
    });
  }
  addAlarms(watched, 'functions', {
    FunctionThrottles: {
      metric: new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', statistic: 'Sum', period: fiveMinutes }),
      bound: { above: 0 },
      periods: { breaching: 2, of: 2 },
      usersLose: 'Requests are refused or work is late, because the account runs no more functions at once.',
      firstStep: 'Raise the concurrency quota of the account, or find what took it.',
    },
  });
}
