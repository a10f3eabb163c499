import { createHmac, randomUUID } from 'node:crypto';
import { ListQueuesCommand, SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Engine } from '../../infra/local/engines/engine.ts';
import { createPollingClient, startSqs } from '../../infra/local/engines/queue-engine.ts';
import { type RunningStack, startStack } from '../support/scenes/stack.ts';
import { eventually } from '../support/scenes/stack-harness.ts';

jest.setTimeout(180_000);

describe('what goes wrong in a stack that runs', () => {
  let engine: Engine;
  let sqs: SQSClient;
  let stack: RunningStack;
  beforeAll(async () => {
    engine = await startSqs();
    sqs = createPollingClient(engine.endpoint);
    stack = await startStack({ SQS_ENDPOINT: engine.endpoint });
  });
  afterAll(async () => {
    await stack?.stop();
    sqs?.destroy();
    await engine?.stop();
  });

  const prefix = 'license-service-local-operations-';
  const arrival = (state: string, alarm: string) =>
    eventually(`${state} of ${alarm} arrives at the subscriber`, 60, async () => {
      const { items } = (await (await fetch(`${stack.address}/__local/notifications`)).json()) as { items: any[] };
      return items.find(({ message }) => message.AlarmName === prefix + alarm && message.NewStateValue === state)?.message;
    });

  /** An event that no version of ours could read, as the provider signs it. */
  async function sendEvent(secret: string): Promise<number> {
    const at = Math.floor(Date.now() / 1000);
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, type: 'checkout.session.completed', created: at, data: { object: {} } });
    const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` };
    return (await fetch(`${stack.address}/v1/payment/webhook`, { method: 'POST', headers, body })).status;
  }

  test('is told to the subscriber: a job that is dead', async () => {
    expect(await sendEvent('whsec_local_platform')).toBe(200);
    expect((await arrival('ALARM', 'DeadJobs')).AlarmDescription).toMatch(/runbooks\/jobs\.md#deadjobs$/);
    await arrival('OK', 'DeadJobs');
  });

  test('is told to the subscriber: events that are all refused', async () => {
    for (let event = 0; event < 3; event += 1) expect(await sendEvent('whsec_of_another_account')).toBe(400);
    await arrival('ALARM', 'WebhooksRefused');
  });

  test('is told to the subscriber: a message that was given up', async () => {
    const { items } = (await (await fetch(`${stack.address}/__local/queues`)).json()) as { items: { name: string }[] };
    expect(items.map(({ name }) => name)).toContainEqual(expect.stringContaining('MailQueue'));
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
    const url = QueueUrls.find((name) => name.includes('MailDeadLetters'))?.replace(/^https?:\/\/[^/]+/, engine.endpoint);
    await sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody: '{"jobId":"send-mail:1/2"}' }));
    await arrival('ALARM', 'MailDeadLetters');
    await arrival('OK', 'MailDeadLetters');
  });
});
