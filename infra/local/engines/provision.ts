import { setTimeout as sleep } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { BucketAlreadyOwnedByYou, CreateBucketCommand, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { CreateQueueCommand, type SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { localName, type Resource, type SynthesizedApp } from '../template.ts';

const KeySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
export const TableProperties = z.object({
  KeySchema,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: z.optional(
    z.array(
      z.object({
        IndexName: z.string(),
        KeySchema,
        Projection: z.object({
          ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: z.optional(z.array(z.string())),
        }),
      }),
    ),
  ),
});

const QueueProperties = z.object({
  VisibilityTimeout: z.optional(z.number()),
  MessageRetentionPeriod: z.optional(z.number()),
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() })),
});

/** Makes the tables of the app in the engine, and their indexes, where they are not there yet. */
export async function createTables(app: SynthesizedApp, endpoint: string): Promise<void> {
  const client = new DynamoDBClient({ endpoint });
  for (const resource of app.ofType('AWS::DynamoDB::GlobalTable')) {
    const TableName = localName(resource);
    const arn = `arn:aws:dynamodb:us-east-1:000000000000:table/${TableName}`;
    const properties = app.read(resource, TableProperties);
    if (!(await findTable(client, TableName)))
      await client.send(new CreateTableCommand({ TableName, BillingMode: 'PAY_PER_REQUEST', ...properties }));
    const { GlobalSecondaryIndexes: made = [] } = await activeTable(client, TableName);
    const { AttributeDefinitions, GlobalSecondaryIndexes: indexes = [] } = properties;
    // A table of a version before lacks what came since; one index at a time is what an engine need take.
    for (const index of indexes.filter(({ IndexName }) => !made.some((known) => known.IndexName === IndexName))) {
      const GlobalSecondaryIndexUpdates = [{ Create: index }];
      await client.send(new UpdateTableCommand({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates }));
      await activeTable(client, TableName);
    }
    app.setMade(resource, { ref: TableName, attributes: { Arn: arn, StreamArn: `${arn}/stream/local` } });
  }
  client.destroy();
}

async function findTable(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** The table once it and its indexes can be used. */
async function activeTable(client: DynamoDBClient, TableName: string): Promise<TableDescription> {
  for (;;) {
    const found = await findTable(client, TableName);
    const waits = found?.GlobalSecondaryIndexes?.some(({ IndexStatus }) => IndexStatus === 'CREATING');
    if (found?.TableStatus === 'ACTIVE' && !waits) return found;
    await sleep(50);
  }
}

export interface LocalQueue {
  resource: Resource;
  name: string;
  url: string;
  arn: string;
  /** The ARN of the queue that takes what this one gives up. */
  deadLetterArn: string | undefined;
}

/** Makes the queues of the app in the engine, dead-letter queues first. Their URLs lead to `endpoint`. */
export async function createQueues(app: SynthesizedApp, client: SQSClient, endpoint: string): Promise<LocalQueue[]> {
  const redrives = ({ properties }: Resource) => Number('RedrivePolicy' in properties);
  const queues: LocalQueue[] = [];
  for (const resource of app.ofType('AWS::SQS::Queue').toSorted((a, b) => redrives(a) - redrives(b))) {
    const { RedrivePolicy, ...properties } = app.read(resource, QueueProperties);
    const name = localName(resource);
    const attributes = Object.entries({ ...properties, RedrivePolicy: RedrivePolicy && JSON.stringify(RedrivePolicy) });
    const { QueueUrl = '' } = await client.send(
      new CreateQueueCommand({
        QueueName: name,
        Attributes: Object.fromEntries(attributes.flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]))),
      }),
    );
    // The SDK sends to the host in a queue's URL, and the engine puts one there that need not resolve.
    const url = QueueUrl.replace(/^https?:\/\/[^/]+/, endpoint);
    const arn = `arn:aws:sqs:us-east-1:000000000000:${name}`;
    app.setMade(resource, { ref: url, attributes: { Arn: arn, QueueName: name } });
    queues.push({ resource, name, url, arn, deadLetterArn: RedrivePolicy?.deadLetterTargetArn });
  }
  return queues;
}

const texts = z.array(z.string());
/** Who may read replies of a bucket in a page; the age is in seconds. */
const CorsRule = z.object({
  AllowedOrigins: texts,
  AllowedMethods: texts,
  AllowedHeaders: z.optional(texts),
  ExposedHeaders: z.optional(texts),
  MaxAge: z.optional(z.number()),
});
export type CorsRule = z.infer<typeof CorsRule>;

export interface LocalBucket {
  name: string;
  versioned: boolean;
  cors?: readonly CorsRule[];
}

const BucketProperties = z.object({
  VersioningConfiguration: z.optional(z.object({ Status: z.string() })),
  CorsConfiguration: z._default(z.object({ CorsRules: z.array(CorsRule) }), { CorsRules: [] }),
});

/** The buckets of the app, named so that references to them resolve. `pageOrigins` are the origins of CORS rules that name none. */
export function nameBuckets(app: SynthesizedApp, pageOrigins: readonly string[]): LocalBucket[] {
  return app.ofType('AWS::S3::Bucket').map((resource) => {
    const name = localName(resource).toLowerCase();
    app.setMade(resource, { ref: name, attributes: { Arn: `arn:aws:s3:::${name}` } });
    const { VersioningConfiguration, CorsConfiguration } = app.read(resource, BucketProperties);
    const cors = CorsConfiguration.CorsRules.map((rule) => ({
      ...rule,
      AllowedOrigins: rule.AllowedOrigins.flatMap((origin) => (origin === '' ? pageOrigins : [origin])),
    }));
    return { name, versioned: VersioningConfiguration?.Status === 'Enabled', cors };
  });
}

/** Creates the buckets that an external store does not have yet. */
export async function createBuckets(buckets: readonly LocalBucket[], endpoint: string): Promise<void> {
  const client = new S3Client({ endpoint, forcePathStyle: true });
  for (const { name: Bucket, versioned } of buckets) {
    await client.send(new CreateBucketCommand({ Bucket })).catch((error) => {
      if (!(error instanceof BucketAlreadyOwnedByYou)) throw error;
    });
    if (versioned) await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  }
  client.destroy();
}
