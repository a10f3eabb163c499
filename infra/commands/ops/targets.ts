import type { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createSdkDynamo } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { createTable, type Table } from '../../../shared/db/table.ts';
import { createS3Client } from '../../../shared/product-files/storage/object-store.ts';
import { operatorIdentity } from '../../local/access/credentials.ts';
import { credentialsSeed, dataDirectoryOf, readKeptSecrets } from '../../local/local-settings.ts';
import { readStackFile, type StackFile } from '../../local/stack-file.ts';

/** Where the local stack keeps its data. */
function dataDirectory(): string {
  const directory = dataDirectoryOf(process.env);
  if (directory === undefined) throw new Error('A stack with DATA_DIR=:memory: cannot be worked on from outside.');
  return directory;
}

/** The table's name, once this process points at the local stack, or at the AWS settings of the shell. */
export async function findTableName(): Promise<string> {
  const tableName = process.env['TABLE_NAME'];
  if (tableName) return tableName;
  const stack = await readLocalStack();
  Object.assign(process.env, {
    STAGE: 'local',
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
    ...(stack.sqsEndpoint !== undefined && { AWS_ENDPOINT_URL_SQS: stack.sqsEndpoint }),
  });
  return stack.tableName;
}

/** @throws Error when none runs. */
export async function readLocalStack(): Promise<StackFile> {
  const directory = dataDirectory();
  return readStackFile(directory).catch(() => {
    throw new Error(`No local stack runs on ${directory}. Start one with npm start, or name a table of the cloud in TABLE_NAME.`);
  });
}

/** Where the service answers, and a payment provider other than the real one. */
export async function findStack(): Promise<{ address: string; paymentApiBase?: string | undefined }> {
  if ((process.env['STAGE'] || 'local') === 'local') {
    const { address, paymentApiBase } = await readLocalStack();
    if (address !== undefined) return { address, paymentApiBase };
  }
  const address = process.env['PUBLIC_BASE_URL'];
  if (!address) throw new Error('PUBLIC_BASE_URL says where the service answers; set it.');
  return { address };
}

/** The table to work on, local or of the cloud. */
export async function findTable(): Promise<Table> {
  return createTable({ tableName: await findTableName(), dynamo: createSdkDynamo() });
}

/** The queues of the local stack, or of the stage of the cloud. */
export async function findQueues(): Promise<{ sqs: SQSClient; stage: string }> {
  const stage = process.env['STAGE'] || 'local';
  if (stage === 'local') await findTableName();
  // Here the host in a queue's URL need not resolve.
  return { sqs: new SQSClient({ useQueueUrlAsEndpoint: false }), stage };
}

/** Where the local stack keeps its data. @throws Error when the shell names a stage of the cloud. */
export function findDataDirectory(): string {
  if ((process.env['STAGE'] || 'local') !== 'local') throw new Error('STAGE names a stage of the cloud; unset it.');
  return dataDirectory();
}

/** The bucket of product files, local or of the cloud, and a client that may do everything there. */
export async function findBucket(): Promise<{ bucketName: string; client: S3Client }> {
  if ((process.env['STAGE'] || 'local') !== 'local') {
    const bucketName = process.env['BUCKET_NAME'];
    if (!bucketName) throw new Error('BUCKET_NAME says where the files are; set it.');
    return { bucketName, client: createS3Client() };
  }
  const { s3Endpoint: endpoint, bucketName, region } = await readLocalStack();
  if (endpoint === undefined || bucketName === undefined)
    throw new Error('The stack that ran here is of an earlier version; start it again.');
  return { bucketName, client: createS3Client({ endpoint, region, credentials: localOperator() }) };
}

/** Whom the local stack lets do everything. */
export function localOperator() {
  const { [credentialsSeed]: seed = '' } = readKeptSecrets(dataDirectory());
  return operatorIdentity(seed);
}
