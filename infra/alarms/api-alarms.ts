import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import { alarmedMessages } from '../../shared/logging/log-messages.ts';
import { addAlarms, fifteenMinutes, fiveMinutes, type WatchedStacks } from './alarm.ts';
import { countEntries, countLines, metricOfLines } from './log-lines.ts';

/** Below this many failures in a period none of them is worth waking anybody for, whatever their share. */
const minFailures = 5;
/** Where the payment provider's events arrive: without them nobody who paid gets anything. */
const webhookRoutes = ['ANY /v1/payment/webhook', 'ANY /v1/payment/connect/webhook'];

/** Which functions open checkouts. */
const checkoutFunctions: ReadonlySet<string> = new Set(['storefront', 'pages', 'additions']);

/** What callers of the API and the payment provider meet. */
export function addApiAlarms(watched: WatchedStacks): void {
  const { api } = watched;
  const count = { period: fiveMinutes, statistic: 'Sum' };
  const refusals = metricOfLines(api, 'refusals');
  for (const group of api.functions) countLines(group, refusals, alarmedMessages.refusals);
  const methodsOff = metricOfLines(api, 'payment-methods-off');
  for (const opener of api.functions.filter(({ node }) => checkoutFunctions.has(node.id))) {
    countLines(opener, methodsOff, alarmedMessages.paymentMethodsOff);
  }
  addAlarms(watched, 'api', {
    ServerErrors: {
      metric: new MathExpression({
        expression: `IF(failures >= ${minFailures}, 100 * failures / requests, 0)`,
        usingMetrics: { failures: api.api.metricServerError(count), requests: api.api.metricCount(count) },
        label: 'Failed requests, %',
        period: fiveMinutes,
      }),
      bound: { above: 1 },
      usersLose: 'More than one request in a hundred of apps, buyers or sellers fails on our side.',
      firstStep: 'Find request_failed in the logs; its request id is in the reply the caller saw.',
    },
    WebhooksFailing: {
      metric: webhookReplies(watched, 'failed-webhooks', '5*', fiveMinutes),
      bound: { above: 0 },
      usersLose: 'Events of the payment provider are not taken: buyers who paid get their license late, or never.',
      firstStep: 'Read the log of payment-webhooks: a setting or secret that is refused is its first line.',
    },
    WebhooksRefused: {
      metric: webhookReplies(watched, 'refused-webhooks', '4*', fifteenMinutes),
      bound: { above: 2 },
      usersLose: 'Events of the payment provider are refused: buyers who paid get no license.',
      firstStep:
        'Group request_refused in the log of payment-webhooks by code and caller: one code of one caller is a wrong webhook secret.',
    },
    PaymentMethodsOff: {
      metric: methodsOff,
      bound: { above: 0 },
      usersLose: 'Nobody can buy anything: the payment provider refuses every sale that costs something.',
      firstStep: 'Switch cards on in the payment methods of the platform’s account at the provider.',
    },
    Refusals: {
      metric: refusals,
      bound: { above: 500 },
      usersLose: 'Someone may be guessing tokens, signatures or keys, or flooding a limit that buyers share.',
      firstStep: 'Group request_refused in the logs by caller, code and subject; block an address at the CDN if one stands out.',
    },
    SlowReplies: {
      metric: api.api.metricLatency({ period: fiveMinutes, statistic: 'p99' }),
      bound: { above: 3000 },
      periods: { breaching: 3, of: 3 },
      usersLose: 'Apps, buyers or sellers wait seconds for a reply.',
      firstStep: 'Compare the latency of the functions and of the table on the dashboard.',
    },
  });
}

/** Counts the replies with such a status on the webhook routes, by what the gateway answered: so also when no function ran. */
function webhookReplies({ api }: WatchedStacks, name: string, status: string, period: typeof fiveMinutes) {
  const metric = metricOfLines(api, name, { period });
  const onRoute = FilterPattern.any(...webhookRoutes.map((route) => FilterPattern.stringValue('$.route', '=', route)));
  const isEvent = FilterPattern.stringValue('$.method', '=', 'POST');
  countEntries(api.accessLog, name, metric, FilterPattern.all(isEvent, onRoute, FilterPattern.stringValue('$.status', '=', status)));
  return metric;
}
