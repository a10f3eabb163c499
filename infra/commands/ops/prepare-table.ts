import { setTimeout as sleep } from 'node:timers/promises';
import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { createDynamoClient } from '../../../shared/db/table.ts';
import { UsageError } from '../command-line.ts';
import type { Command } from './command.ts';
import { findTableName } from './where.ts';

/** See "Restore" in infra/commands/ops/README.md */
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
    await expire(client, name);
    console.log('stream, deletion protection and expiry are on');
    console.log(await keepBackups(client, name));
    console.log(`RESTORED_TABLE_STREAM_ARN=${(await settled(client, name)).LatestStreamArn ?? ''}`);
  },
};

/** The table once it takes changes. */
async function settled(client: DynamoDBClient, TableName: string): Promise<TableDescription> {
  for (;;) {
    const { Table = {} } = await client.send(new DescribeTableCommand({ TableName }));
    if (Table.TableStatus === 'ACTIVE') return Table;
    await sleep(2000);
  }
}

async function expire(client: DynamoDBClient, TableName: string): Promise<void> {
  const { TimeToLiveDescription: found } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (found?.TimeToLiveStatus === 'ENABLED' || found?.TimeToLiveStatus === 'ENABLING') return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** The engine of the local stack keeps no backups. */
async function keepBackups(client: DynamoDBClient, TableName: string): Promise<string> {
  if (process.env['STAGE'] === 'local') return 'backups are kept in the cloud alone';
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  return 'backups of every second are kept';
}
