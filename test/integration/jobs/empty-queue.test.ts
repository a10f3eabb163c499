import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Engine } from '../../../infra/local/engines/engine.ts';
import { createPollingClient, startSqs } from '../../../infra/local/engines/queue-engine.ts';
import { callOps } from '../../support/call-command.ts';

let engine: Engine;
let sqs: SQSClient;
let QueueUrl: string;

beforeAll(async () => {
  engine = await startSqs();
  sqs = createPollingClient(engine.endpoint);
  QueueUrl = await createQueue('license-service-staging-data-MailDeadLetters1A2B3C4D-xyz');
});
afterAll(async () => {
  sqs.destroy();
  await engine.stop();
});

async function createQueue(QueueName: string): Promise<string> {
  const { QueueUrl: url = '' } = await sqs.send(new CreateQueueCommand({ QueueName }));
  return url.replace(/^https?:\/\/[^/]+/, engine.endpoint);
}

async function held(url = QueueUrl) {
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes = {} } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] }));
  return names.map((name) => Number(Attributes[name]));
}

const ops = (...args: string[]) => callOps(args, { STAGE: 'staging', AWS_ENDPOINT_URL_SQS: engine.endpoint });

test('empty shows each message of the dead-letter queue, and removes what it showed when it is told that this is wanted', async () => {
  const other = await createQueue('license-service-production-data-MailDeadLetters1A2B3C4D-xyz');
  await sqs.send(new SendMessageCommand({ QueueUrl: other, MessageBody: 'of another stage' }));
  const bodies = Array.from({ length: 12 }, (_, number) => JSON.stringify({ jobId: `send-mail:ord/${number}` }));
  for (const MessageBody of bodies) await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));

  const unasked = await ops('empty', 'Mail');
  expect(
    unasked.lines
      .slice(0, 12)
      .map((line: string) => line.slice(26))
      .toSorted(),
  ).toEqual(bodies.toSorted());
  expect(unasked.lines[0]).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}\{/);
  expect(unasked.lines.slice(12)).toEqual(['12 in the dead letters of Mail', 'Nothing was removed']);
  expect(await held()).toEqual([12, 0]);

  const { status, lines } = await ops('empty', 'Mail', '--yes');
  expect({ status, end: lines.slice(12) }).toEqual({ status: 0, end: ['12 in the dead letters of Mail', '12 removed'] });
  expect(await held()).toEqual([0, 0]);
  expect(await held(other)).toEqual([1, 0]);
  expect((await ops('empty', 'Mail')).lines).toEqual(['0 in the dead letters of Mail']);
});
