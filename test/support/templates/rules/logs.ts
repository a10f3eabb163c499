import { alarmedMessages } from '../../../../shared/logging/log-messages.ts';
import { measuresOf } from '../measures.ts';
import type { Rules } from '../rule.ts';
import type { Service } from '../service.ts';

/** `deadJobs` counts as `…-dead-jobs`. */
const metricNames = Object.entries(alarmedMessages).map(
  ([name, messages]) => [`-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, messages as readonly string[]] as const,
);

/** One message, and what else its line has to say. */
const linePattern = /^\{ (?:\$\.message = "(\w+)"|\(\$\.message = "(\w+)"\)(?: && \(\$\.\w+ (?:=|>=?|<=?) (?:\d+|"[^"]+")\))+) \}$/;

function isLogged(pattern: string, metricName: string): boolean {
  const [, alone, first] = linePattern.exec(pattern) ?? [];
  return metricNames.some(([name, messages]) => metricName.endsWith(name) && messages.includes(alone ?? first ?? ''));
}

/** Whether the gateway writes lines with these fields to this log, about routes that it has. */
function isAccess({ ofType, at }: Service, logGroup: string, pattern: string): boolean {
  const stage = ofType('AWS::ApiGatewayV2::Stage').find(
    ({ properties }) => at(properties.AccessLogSettings?.DestinationArn)?.ref === logGroup,
  );
  if (!stage) return false;
  const fields = Object.keys(JSON.parse(stage.properties.AccessLogSettings.Format));
  const routeKeys = ofType('AWS::ApiGatewayV2::Route').map(({ properties }) => properties.RouteKey);
  const named = [...pattern.matchAll(/\$\.(\w+) = "([^"]+)"/g)];
  return (
    named.length > 0 && named.every(([, field = '', value]) => fields.includes(field) && (field !== 'route' || routeKeys.includes(value)))
  );
}

/** Where functions write, and what is counted there. */
export const logRules: Rules = {
  'every log is kept for a month or more, and not for ever': ({ ofType }) =>
    ofType('AWS::Logs::LogGroup')
      .filter(({ properties: { RetentionInDays } }) => !(RetentionInDays >= 30))
      .map(({ id }) => id),

  'every function has a log of its own': ({ functions, at }) => {
    const logs = functions.map(({ properties: { LoggingConfig } }) => at(LoggingConfig?.LogGroup, 'AWS::Logs::LogGroup'));
    return functions.filter((_, index) => !logs[index] || logs.indexOf(logs[index]) !== index).map(({ folder }) => folder);
  },

  'every metric filter counts lines that are written to its log, under the name for them': (service) =>
    service.ofType('AWS::Logs::MetricFilter').flatMap(({ id, properties: { LogGroupName, FilterPattern, MetricTransformations } }) => {
      const [{ MetricName, MetricValue }] = MetricTransformations;
      const isCount = /^(1|\$\.\w+)$/.test(MetricValue);
      const isOfFunction = service.functions.some(({ properties }) => properties.LoggingConfig?.LogGroup === LogGroupName);
      const isWritten = isOfFunction ? isLogged(FilterPattern, MetricName) : isAccess(service, LogGroupName, FilterPattern);
      return isCount && isWritten ? [] : [`${id} counts ${FilterPattern} as ${MetricName}`];
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
