import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { CreateQueueCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Engine, serve } from '../../infra/local/engines/engine.ts';
import { createPollingClient, startSqs } from '../../infra/local/engines/queue-engine.ts';
import { createLogger } from '../../shared/logging/logger.ts';
import { createJobSender } from '../../shared/queue/job-sender.ts';
import { createSdkSend } from '../../shared/queue/send-by-sdk.ts';
import { createSignedSend } from '../../shared/queue/send-signed.ts';

describe.each([
  ['the client of the SDK', createSdkSend],
  ['the signed client', createSignedSend],
])('%s', (_name, createSend) => {
  let engine: Engine;
  let sqs: SQSClient;
  let proxy: Engine;
  let MAIL_QUEUE_URL: string;
  /** The statuses of the next answers that do not come from the queue. */
  let failures: number[];
  let signatures: string[];
  let logged: string[];

  beforeAll(async () => {
    engine = await startSqs();
    sqs = createPollingClient(engine.endpoint);
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'mails' }));
    const server = createServer(async (request, response) => {
      const { authorization = '', 'x-amz-target': target, 'content-type': type } = request.headers;
      const body = await text(request);
      signatures.push(authorization);
      const failure = failures.shift();
      if (failure !== undefined) return void response.writeHead(failure).end('{"__type":"com.amazonaws.sqs#Refused","message":"no"}');
      const headers = { 'x-amz-target': String(target), 'content-type': String(type) };
      const answer = await fetch(engine.endpoint, { method: 'POST', headers, body });
      response.writeHead(answer.status).end(await answer.text());
    });
    proxy = await serve(server);
    process.env['AWS_ENDPOINT_URL_SQS'] = proxy.endpoint;
    MAIL_QUEUE_URL = QueueUrl.replace(/^https?:\/\/[^/]+/, proxy.endpoint);
  });
  afterAll(async () => {
    sqs.destroy();
    await Promise.all([proxy.stop(), engine.stop()]);
  });
  beforeEach(() => {
    [failures, signatures, logged] = [[], [], []];
  });

  const task = { kind: 'send-links', mailId: 'mail-1' } as const;
  function sender(queue = MAIL_QUEUE_URL) {
    const logger = createLogger({}, (line) => logged.push(JSON.parse(line).message));
    return createJobSender({ queues: { MAIL_QUEUE_URL: queue }, logger, sendMessage: createSend() });
  }
  async function received(seconds = 0): Promise<(string | undefined)[]> {
    const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl: MAIL_QUEUE_URL, WaitTimeSeconds: seconds }));
    return Messages.map(({ Body }) => Body);
  }

  test('sends the id of a job, signed, and after a failure again', async () => {
    failures = [503];
    await sender().sendJobOrFail(task);
    expect(signatures).toEqual(
      Array(2).fill(expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=.*\/sqs\/aws4_request, SignedHeaders=.*host/)),
    );
    expect(await received()).toEqual(['{"jobId":"send-links:mail-1"}']);
  });

  test('sends a job for later', async () => {
    await sender().sendJob(task, 1);
    expect(await received()).toEqual([]);
    expect(await received(3)).toEqual(['{"jobId":"send-links:mail-1"}']);
  });

  test('gives up what fails three times, and what is refused at once', async () => {
    failures = [500, 500, 500];
    await expect(sender().sendJobOrFail(task)).rejects.toMatchObject({ code: 'dependency_unavailable' });
    expect(signatures).toHaveLength(3);
    await sender(`${MAIL_QUEUE_URL}-of-nobody`).sendJob(task);
    expect([signatures.length, logged]).toEqual([4, ['job_not_sent']]);
    expect(await received()).toEqual([]);
  });
});
