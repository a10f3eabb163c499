import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';

const database = loadAwsServiceSpecSync();

/** What is published about a resource type, or undefined where there is no such type. */
export const specificationOf = (type: string) => database.lookup('resource', 'cloudFormationType', 'equals', type)[0];

export interface PublishedMetric {
  statistic: string;
  dimensions: readonly { name: string; value?: string }[][];
}

/** What is published about a metric: its usual statistic, and by which dimensions it can be asked for. */
export function metricOf(namespace: string, name: string): PublishedMetric | undefined {
  const found = [...database.lookup('metric', 'namespace', 'equals', namespace)].filter((metric) => metric.name === name);
  const [first] = found;
  if (!first) return undefined;
  const sets = found.flatMap((metric) => database.follow('usesDimensionSet', metric));
  return { statistic: first.statistic, dimensions: sets.map(({ entity }) => entity.dimensions) };
}
