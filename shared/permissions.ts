import * as z from 'zod/mini';
import { type IndexName, indexPartitions, type PartitionName, partitions } from './db/keys.ts';

/** What can be done with items. A transaction needs, for each of its writes, the right to make it alone. */
const tableActions = ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'UpdateItem'] as const;
const queueActions = ['sqs:SendMessage', 'sqs:GetQueueAttributes'] as const;
const bucketActions = ['s3:ListBucket', 's3:ListBucketVersions'] as const;
const objectActions = [
  's3:AbortMultipartUpload',
  's3:DeleteObjectVersion',
  's3:GetObject',
  's3:GetObjectVersion',
  's3:ListMultipartUploadParts',
  's3:PutObject',
] as const;

const partitionName = z.custom<PartitionName>((name) => typeof name === 'string' && Object.hasOwn(partitions, name));
const indexName = z.custom<IndexName>((name) => typeof name === 'string' && Object.hasOwn(indexPartitions, name));

/** What a function does with the things that its settings name: its role may do that, and nothing else. */
export const Permissions = z.strictObject({
  /** By action, in which partitions of the table. */
  table: z.optional(z.partialRecord(z.enum(tableActions), z.array(partitionName))),
  /** The indexes that it queries. */
  indexes: z.optional(z.array(indexName)),
  /** What it does with every queue that it has the URL of; where nothing is said, it sends. */
  queues: z.optional(z.array(z.enum(queueActions))),
  bucket: z.optional(z.array(z.enum(bucketActions))),
  /** By what the keys of the objects begin with. */
  objects: z.optional(z.record(z.string(), z.array(z.enum(objectActions)))),
});
export type Permissions = z.infer<typeof Permissions>;
