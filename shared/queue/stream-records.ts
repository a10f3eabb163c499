import type { DynamoDBRecord, DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import { jobIdOfKey } from '../db/keys.ts';
import type { Message, MessageBatch } from './create-worker.ts';
import type { JobMessage } from './messages.ts';

/**
 * The messages of a queue, or the jobs whose records a stream of the table tells of as such. A stream takes the same
 * reply as a queue: what was not handled is named by its sequence number, and comes again.
 */
export function messagesOf({ Records }: SQSEvent | DynamoDBStreamEvent): MessageBatch {
  return { Records: Records.flatMap((record) => ('body' in record ? [record] : messageOfRecord(record))) };
}

function messageOfRecord({ dynamodb }: DynamoDBRecord): Message[] {
  const pk = dynamodb?.Keys?.['pk']?.S;
  const messageId = dynamodb?.SequenceNumber;
  if (pk === undefined || messageId === undefined) return [];
  return [{ messageId, body: JSON.stringify({ jobId: jobIdOfKey({ pk }) } satisfies JobMessage) }];
}
