import { alarmedMessages } from '../../../../shared/log-messages.ts';
import { isAllowed } from '../evaluate.ts';
import { measuresOf } from '../measures.ts';
import type { Rules } from '../rule.ts';

/** `deadJobs` counts as `…-dead-jobs`. */
const metricNames = Object.entries(alarmedMessages).map(
  ([name, messages]) => [`-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, messages as readonly string[]] as const,
);

/** Where functions write, and what is counted there. */
export const logRules: Rules = {
  'every function may write to the log that it is given, which is kept for a time': async (service) => {
    const faults = service.functions.map(async ({ folder, properties: { LoggingConfig, Role }, statements }) => {
      const log = service.at(LoggingConfig?.LogGroup, 'AWS::Logs::LogGroup');
      const stream = log?.arn.replace(/\*$/, 'log-stream:x') ?? '';
      const allowed = await Promise.all(
        ['logs:CreateLogStream', 'logs:PutLogEvents'].map((action) =>
          isAllowed({ principal: Role, action, resource: stream, identity: statements }),
        ),
      );
      return log?.properties.RetentionInDays && allowed.every(Boolean) ? [] : [folder];
    });
    return (await Promise.all(faults)).flat();
  },

  'every metric filter is on the log of a function, and counts one message under the name for it': (service) =>
    service.ofType('AWS::Logs::MetricFilter').flatMap(({ id, properties: { LogGroupName, FilterPattern, MetricTransformations } }) => {
      const isFunctionLog = service.functions.some(({ properties }) => properties.LoggingConfig?.LogGroup === LogGroupName);
      const message = /^\{ \$\.message = "(\w+)" \}$/.exec(FilterPattern)?.[1] ?? '';
      const [{ MetricName, MetricValue }] = MetricTransformations;
      const isNamed = metricNames.some(([name, messages]) => MetricName.endsWith(name) && messages.includes(message));
      return isFunctionLog && isNamed && MetricValue === '1' ? [] : [`${id} counts ${FilterPattern} as ${MetricName}`];
    }),

  'every message that alarms count has a filter, and every filter an alarm': (service) => {
    const filters = service.ofType('AWS::Logs::MetricFilter').map(({ id, properties: { FilterPattern, MetricTransformations } }) => {
      const [{ MetricName, MetricNamespace }] = MetricTransformations;
      return { id, pattern: FilterPattern, metric: `${MetricNamespace} ${MetricName}` };
    });
    const alarmed = measuresOf(service)
      .filter(({ alarm }) => alarm)
      .map(({ namespace, name }) => `${namespace} ${name}`);
    return [
      ...Object.values(alarmedMessages)
        .flat()
        .filter((message) => !filters.some(({ pattern }) => pattern.includes(`"${message}"`)))
        .map((message) => `${message} is not counted`),
      ...filters.filter(({ metric }) => !alarmed.includes(metric)).map(({ id }) => `${id} alarms nobody`),
    ];
  },
};
