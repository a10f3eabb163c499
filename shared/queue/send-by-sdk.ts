import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueLimits, type SendMessage } from './job-sender.ts';

/** Messages by the SDK's client: it passes on in which chain of functions a message is sent, by which Lambda ends loops. */
export function createSdkSend(): SendMessage {
  const { maxAttempts, ...timeouts } = queueLimits;
  const client = new SQSClient({ maxAttempts, requestHandler: { ...timeouts, throwOnRequestTimeout: true } });
  return (message) => client.send(new SendMessageCommand(message));
}
