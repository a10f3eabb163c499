import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { queueLimits, type SendMessage } from './job-sender.ts';

/** Sends with the SDK's client, which passes on the trace by which Lambda detects recursive loops. */
export function createSdkSend(): SendMessage {
  const { maxAttempts, ...timeouts } = queueLimits;
  const client = new SQSClient({ maxAttempts, requestHandler: { ...timeouts, throwOnRequestTimeout: true } });
  return (message) => client.send(new SendMessageCommand(message));
}
