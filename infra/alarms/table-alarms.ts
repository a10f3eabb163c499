import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { tableIndexes } from '../constructs/table-indexes.ts';
import { addAlarms, fiveMinutes, type WatchedStacks } from './alarm.ts';

/** Every operation of the table that `shared/db/table.ts` uses. */
const operations = ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems'];

/** A table that refuses: requests, and what each of them does to the table and its indexes. */
export function addTableAlarms(watched: WatchedStacks): void {
  const { table } = watched.data;
  const parts = [{}, ...tableIndexes.map(({ indexName: GlobalSecondaryIndexName }) => ({ GlobalSecondaryIndexName }))];
  addAlarms(watched, 'table', {
    TableThrottles: {
      metric: sumOf(
        'Throttled requests',
        operations.map((Operation) => throttles(table, 'ThrottledRequests', { Operation })),
      ),
      bound: { above: 10 },
      usersLose: 'License checks and sales are answered with 503.',
      firstStep: 'Look for one partition that takes all the traffic.',
    },
    PartitionThrottles: {
      metric: sumOf(
        'Throttled reads and writes',
        parts.flatMap((part) => ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => throttles(table, name, part))),
      ),
      bound: { above: 10 },
      usersLose: 'Lists, searches and pending work are late, and sales fail when an index cannot follow the table.',
      firstStep: 'Look in Contributor Insights of the table and of each index for the key that is throttled.',
    },
  });
}

const throttles = ({ tableName }: ITableV2, metricName: string, dimensions: Record<string, string>) =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: tableName, ...dimensions },
    statistic: 'Sum',
    period: fiveMinutes,
  });

/** A part of which nothing is measured counts as none: otherwise the sum would have a gap wherever one part has. */
function sumOf(label: string, parts: readonly IMetric[]): MathExpression {
  const usingMetrics = Object.fromEntries(parts.map((part, index) => [`part${index}`, part]));
  const expression = Object.keys(usingMetrics)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ');
  return new MathExpression({ expression, usingMetrics, label, period: fiveMinutes });
}
