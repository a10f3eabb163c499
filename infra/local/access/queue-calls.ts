import * as z from 'zod/mini';
import { account, region } from '../references.ts';
import type { Call, Operation } from './call.ts';

const Target = z.looseObject({ QueueUrl: z.optional(z.string()), QueueName: z.optional(z.string()) });

/** What a request to the queues is allowed by. A batch is allowed by the action for one message. */
export function queueCalls({ name, input }: Operation): Call[] {
  const { QueueUrl, QueueName } = z.parse(Target, input);
  const queue = QueueName ?? QueueUrl?.split('/').at(-1);
  return [{ action: `sqs:${name.replace(/Batch$/, '')}`, resource: queue ? queueArn(queue) : '*' }];
}

export const queueArn = (name: string): string => `arn:aws:sqs:${region}:${account}:${name}`;
