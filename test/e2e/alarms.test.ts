import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type LocalStack, startLocalStack } from '../../infra/local/stack.ts';
import { createMonitoring, type Monitoring } from '../support/monitoring/monitoring.ts';
import { eventually } from '../support/scenes/stack-harness.ts';

jest.setTimeout(180_000);

let stack: LocalStack;
let monitoring: Monitoring;
let clock = Date.now();
beforeAll(async () => {
  stack = await startLocalStack({
    env: { PORT: '0', DATA_DIR: ':memory:' },
    log: () => undefined,
    watch: (app, { sqs, queues, control: { access } }) => {
      monitoring = createMonitoring(app, { sqs, queues, access, now: () => clock });
      return monitoring;
    },
  });
});
afterAll(() => stack?.stop());

/** What arrives at the subscriber, while a minute of the cloud passes between two looks. */
const arrival = (state: string, alarm: string) =>
  eventually(`${state} of ${alarm} arrives at the subscriber`, 60, async () => {
    clock += 2000;
    await monitoring.judge();
    const told = monitoring.notifications().map(({ message }) => message);
    return told.find(({ AlarmName, NewStateValue }) => `${AlarmName}`.endsWith(`-${alarm}`) && NewStateValue === state);
  });

/** An event that no version of ours could read, as the provider signs it. */
async function sendUnreadableEvent(): Promise<number> {
  const at = Math.floor(Date.now() / 1000);
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, type: 'checkout.session.completed', created: at, data: { object: {} } });
  const signature = createHmac('sha256', 'whsec_local_platform').update(`${at}.${body}`).digest('hex');
  const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` };
  return (await fetch(`${stack.address}/v1/payment/webhook`, { method: 'POST', headers, body })).status;
}

test('a job that dies in a stack that runs is told to the subscriber, and that it is over', async () => {
  expect(await sendUnreadableEvent()).toBe(200);
  expect((await arrival('ALARM', 'DeadJobs'))['AlarmDescription']).toMatch(/runbooks\/jobs\.md#deadjobs$/);
  await arrival('OK', 'DeadJobs');
});
