import { readSettings, secretSettings, settingNames } from '../../../shared/config.ts';
import { operatorSettings, synthesizeAt } from '../../support/synthesized.ts';
import type { Json } from '../../support/templates/identifiers.ts';
import { prices } from './prices.ts';

const secretNames = settingNames.filter((name) => secretSettings.has(name));
/** How often a month a function that is always used reads its secrets anew. */
const refreshes = (30 * 24 * 3600) / readSettings(['SECRETS_SECONDS'], {}).SECRETS_SECONDS;

/** Those of a deployment in production, without the edge. */
export const productionTemplates = async (): Promise<Json[]> =>
  Object.values((await synthesizeAt('production', operatorSettings)).templates).map((template) => template.toJSON());

/**
 * What is paid a month for being there, by the templates. An alarm on an expression is charged for each metric in it, and a
 * custom metric as if it always counted something. Each function is taken as one instance that is always used.
 */
export function standingBill(templates: readonly Json[]): Record<string, { count: number; dollars: number }> {
  const resources = templates.flatMap(({ Resources }) => Object.values<Json>(Resources));
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type).map(({ Properties }) => Properties);
  const metricsOf = ({ Metrics }: Json) => (Metrics ? Metrics.filter(({ MetricStat }: Json) => MetricStat).length : 1);
  const counted = ofType('AWS::Logs::MetricFilter').flatMap(({ MetricTransformations }) => MetricTransformations);
  const environments = ofType('AWS::Lambda::Function').map(({ Environment }) => Environment?.Variables ?? {});
  const secretsGiven = environments.flatMap((variables) => secretNames.filter((name) => name in variables)).length;
  const item = (count: number, price: number) => ({ count, dollars: count * price });
  return {
    secrets: item(ofType('AWS::SecretsManager::Secret').length, prices.secret.month),
    'metrics that alarms watch': item(
      ofType('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0),
      prices.alarm.metricMonth,
    ),
    'custom metrics': item(new Set(counted.map(({ MetricName }) => MetricName)).size, prices.metric.month),
    'secret reads': item(secretsGiven * refreshes, prices.secret.perRead),
  };
}
