import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** Where the local stack has its table, queues and files, answers, and finds its payment provider: what the operator's commands need to work on it. */
const StackFile = z.object({
  tableName: z.string(),
  dynamodbEndpoint: z.string(),
  sqsEndpoint: z.optional(z.string()),
  secretsEndpoint: z.optional(z.string()),
  s3Endpoint: z.optional(z.string()),
  bucketName: z.optional(z.string()),
  region: z.string(),
  address: z.optional(z.string()),
  paymentApiBase: z.optional(z.string()),
});
export type StackFile = z.infer<typeof StackFile>;

const pathIn = (dataDirectory: string) => join(dataDirectory, 'stack.json');

export async function writeStackFile(dataDirectory: string, stack: StackFile): Promise<void> {
  await writeFile(pathIn(dataDirectory), JSON.stringify(stack), { mode: 0o600 });
}

/** @throws Error when no stack ever ran on this directory. */
export async function readStackFile(dataDirectory: string): Promise<StackFile> {
  return z.parse(StackFile, JSON.parse(await readFile(pathIn(dataDirectory), 'utf8')));
}
