import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeContributorInsightsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  PutResourcePolicyCommand,
  type TableDescription,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateContributorInsightsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { type TableIndex, tableIndexes } from '../../constructs/table-indexes.ts';
import { UsageError } from '../command-line.ts';
import type { Command } from './command.ts';
import { findTableName } from './targets.ts';

/** See "Restore" in infra/commands/ops/restore.md */
export const prepareTable: Command = {
  name: 'prepare-table',
  takes: '<restored table>',
  does: 'gives a restored table what a restore leaves out, and tells its stream',
  async run([name, ...others]) {
    if (name === undefined || others.length > 0) throw new UsageError('Name the restored table.');
    await findTableName();
    const client = createDynamoClient({ maxAttempts: 10 });
    const { StreamSpecification: stream, DeletionProtectionEnabled: isProtected } = await settled(client, name);
    // One change of a table at a time is what the service takes.
    if (!stream?.StreamEnabled) {
      await client.send(
        new UpdateTableCommand({ TableName: name, StreamSpecification: { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } }),
      );
      await settled(client, name);
    }
    if (!isProtected) {
      await client.send(new UpdateTableCommand({ TableName: name, DeletionProtectionEnabled: true }));
      await settled(client, name);
    }
    const { GlobalSecondaryIndexes: restored = [] } = await settled(client, name);
    for (const index of tableIndexes.filter(({ indexName }) => !restored.some(({ IndexName }) => IndexName === indexName))) {
      await addIndex(client, name, index);
      console.log(`index ${index.indexName} is made`);
    }
    await expire(client, name);
    console.log('stream, deletion protection and expiry are on');
    if (process.env['STAGE'] === 'local') console.log('backups, policy and insights are of the cloud alone');
    else await prepareInCloud(client, name, await settled(client, name));
    console.log(`RESTORED_TABLE_STREAM_ARN=${(await settled(client, name)).LatestStreamArn ?? ''}`);
  },
};

/** The table once it takes changes. */
async function settled(client: DynamoDBClient, TableName: string): Promise<TableDescription> {
  for (;;) {
    const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
    const { GlobalSecondaryIndexes: indexes = [] } = Table;
    if (Table.TableStatus === 'ACTIVE' && !indexes.some(({ IndexStatus }) => IndexStatus === 'CREATING')) return Table;
    await sleep(2000);
  }
}

/** What a copy of before an index was made lacks. */
async function addIndex(client: DynamoDBClient, TableName: string, index: TableIndex): Promise<void> {
  const { indexName: IndexName, partitionKey, sortKey, nonKeyAttributes } = index;
  await client.send(
    new UpdateTableCommand({
      TableName,
      AttributeDefinitions: [partitionKey, sortKey].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName,
            KeySchema: [
              { AttributeName: partitionKey, KeyType: 'HASH' },
              { AttributeName: sortKey, KeyType: 'RANGE' },
            ],
            Projection: nonKeyAttributes ? { ProjectionType: 'INCLUDE', NonKeyAttributes: nonKeyAttributes } : { ProjectionType: 'ALL' },
          },
        },
      ],
    }),
  );
  await settled(client, TableName);
}

async function expire(client: DynamoDBClient, TableName: string): Promise<void> {
  const { TimeToLiveDescription: found } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (found?.TimeToLiveStatus === 'ENABLED' || found?.TimeToLiveStatus === 'ENABLING') return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** What the engine of the local stack has not. */
async function prepareInCloud(client: DynamoDBClient, TableName: string, table: TableDescription): Promise<void> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  console.log('backups of every second are kept');
  const { TableArn = '', GlobalSecondaryIndexes: indexes = [] } = table;
  // Only now: loading the constructs takes a second.
  const { protectAudit } = await import('../../constructs/audit-protection.ts');
  await client.send(new PutResourcePolicyCommand({ ResourceArn: TableArn, Policy: JSON.stringify(protectAudit(TableArn)) }));
  console.log('nobody changes or deletes an audit record');
  const tags = { service: 'license-service', stage: process.env['STAGE'] };
  const Tags = Object.entries(tags).map(([Key, Value]) => ({ Key, Value }));
  await client.send(new TagResourceCommand({ ResourceArn: TableArn, Tags }));
  for (const IndexName of [undefined, ...indexes.map((index) => index.IndexName)])
    await watchThrottledKeys(client, { TableName, IndexName });
  console.log('throttled keys are named');
}

async function watchThrottledKeys(client: DynamoDBClient, target: { TableName: string; IndexName?: string | undefined }): Promise<void> {
  const { ContributorInsightsStatus: found } = await client.send(new DescribeContributorInsightsCommand(target));
  if (found === 'ENABLED' || found === 'ENABLING') return;
  const mode = { ContributorInsightsAction: 'ENABLE', ContributorInsightsMode: 'THROTTLED_KEYS' } as const;
  await client.send(new UpdateContributorInsightsCommand({ ...target, ...mode }));
}
