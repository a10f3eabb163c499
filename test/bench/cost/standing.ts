import { readSettings, secretSettings, settingNames } from '../../../shared/config.ts';
import { operatorSettings, synthesizeAt } from '../../support/synthesized.ts';
import type { Json } from '../../support/templates/identifiers.ts';
import { everySetting } from '../../support/templates/stacks-at.ts';
import { prices } from './prices.ts';

const secretNames = settingNames.filter((name) => secretSettings.has(name));
/** How often a month a function that is always used reads its secrets anew. */
const refreshes = (30 * 24 * 3600) / readSettings(['SECRETS_SECONDS'], {}).SECRETS_SECONDS;

/** Lambda begins with five pollers a queue, of which each asks anew when nothing came for 20 seconds. */
const pollsAMonth = 5 * 3 * 60 * 24 * 30;

/** Those of a deployment in production, without edge and user pool, or with all that there can be. */
export async function productionTemplates({ withEdge }: { withEdge: boolean }): Promise<Json[]> {
  const { assembly } = await synthesizeAt('production', withEdge ? everySetting : operatorSettings);
  return assembly.stacks.map(({ template }) => template);
}

/** One of partition keys, and one of these with their sort keys. */
const rulesOfKeys = 2;

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
  const replicas = ofType('AWS::DynamoDB::GlobalTable').flatMap(({ Replicas }) => Replicas);
  const watched = replicas.flatMap((replica) => [replica, ...replica.GlobalSecondaryIndexes]);
  const keyRules = watched.filter(({ ContributorInsightsSpecification }) => ContributorInsightsSpecification?.Enabled).length * rulesOfKeys;
  const polled = ofType('AWS::Lambda::EventSourceMapping').filter(({ StartingPosition }) => StartingPosition === undefined);
  const secretsKept = ofType('AWS::SecretsManager::Secret').flatMap(({ ReplicaRegions }) =>
    ReplicaRegions ? ['own', 'replica'] : ['own'],
  );
  const firewalls = ofType('AWS::WAFv2::WebACL');
  const item = (count: number, price: number) => ({ count, dollars: count * price });
  return {
    secrets: item(secretsKept.length, prices.secret.month),
    'metrics that alarms watch': item(
      ofType('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0),
      prices.alarm.metricMonth,
    ),
    'custom metrics': item(new Set(counted.map(({ MetricName }) => MetricName)).size, prices.metric.month),
    'secret reads': item(secretsGiven * refreshes, prices.secret.perRead),
    'rules that name throttled keys': item(keyRules, prices.contributorInsights.ruleMonth),
    'polls of empty queues': item(polled.length * pollsAMonth, prices.queue.perRequest),
    dashboards: item(ofType('AWS::CloudWatch::Dashboard').length, prices.dashboard.month),
    firewalls: item(firewalls.length, prices.firewall.month),
    'rules of firewalls': item(firewalls.flatMap(({ Rules }) => Rules).length, prices.firewall.ruleMonth),
  };
}
