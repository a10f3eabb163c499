import { createSignedClient } from '../aws/signed-client.ts';
import { queueLimits, type SendMessage } from './job-sender.ts';

const sqs = {
  name: 'sqs',
  target: 'AmazonSQS',
  contentType: 'application/x-amz-json-1.0',
  endpointVariable: 'AWS_ENDPOINT_URL_SQS',
} as const;

/** Sends with signed requests, for a function on a hot path that receives no messages itself. */
export function createSignedSend(): SendMessage {
  const send = createSignedClient<unknown>(sqs, queueLimits);
  return (message) => send('SendMessage', message);
}
