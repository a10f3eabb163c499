import { createSignedClient } from '../aws/signed-client.ts';
import { queueLimits, type SendMessage } from './job-sender.ts';

const sqs = {
  name: 'sqs',
  target: 'AmazonSQS',
  contentType: 'application/x-amz-json-1.0',
  endpointVariable: 'AWS_ENDPOINT_URL_SQS',
} as const;

/** Messages by signed requests, for the function that strangers wait for and no message comes to. */
export function createSignedSend(): SendMessage {
  const send = createSignedClient<unknown>(sqs, queueLimits);
  return (message) => send('SendMessage', message);
}
