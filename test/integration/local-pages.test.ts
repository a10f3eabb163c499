import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Engine } from '../../infra/local/engines/engine.ts';
import { startSqs } from '../../infra/local/engines/queue-engine.ts';
import { createLocalPages } from '../../infra/local/local-pages.ts';
import { leaseJob, markJobDead } from '../../shared/jobs/job-lease-repository.ts';
import { addJob } from '../../shared/jobs/job-repository.ts';
import { createTestTable } from '../support/engines/test-table.ts';

let engine: Engine;
beforeAll(async () => {
  engine = await startSqs();
});
afterAll(() => engine.stop());

test('the queues are shown with the jobs that were given up under the queue that carried them', async () => {
  const sqs = new SQSClient({ endpoint: engine.endpoint });
  const queues = await Promise.all(
    ['WebhookQueue1', 'MailQueue2'].map(async (id) => {
      const [name, deadName] = [`local-${id}`, `local-${id}-dead`];
      const made = await Promise.all([name, deadName].map((QueueName) => sqs.send(new CreateQueueCommand({ QueueName }))));
      const queue = (url: string | undefined, queueName: string, deadLetterArn?: string) => ({
        resource: { id: `data.${id}`, stack: 'data', type: 'AWS::SQS::Queue', properties: {} },
        name: queueName,
        url: url ?? '',
        arn: queueName,
        deadLetterArn,
      });
      return [queue(made[0]?.QueueUrl, name, deadName), queue(made[1]?.QueueUrl, deadName)];
    }),
  );
  const { table } = await createTestTable();
  const c = { table, now: () => new Date() };
  for (const eventId of ['evt_1', 'evt_2']) {
    await table.write(addJob(c, { kind: 'project-event', eventId }));
    const job = await leaseJob(c, `project-event:${eventId}`, 30);
    await markJobDead(c, job!, 'amount_differs');
  }
  await table.write(addJob(c, { kind: 'project-event', eventId: 'evt_3' }));

  const page = createLocalPages({
    outbox: { listMails: async () => [] },
    sqs,
    queues: queues.flat(),
    table,
    paymentEndpoint: undefined,
  });
  const ask = async (path: string) =>
    (await page({ method: 'GET', path, query: new URLSearchParams(), accept: '*/*', headers: {}, body: Buffer.alloc(0) }))?.body ?? '';
  expect(JSON.parse(await ask('/__local/queues'))).toEqual({
    items: [
      { name: 'local-WebhookQueue1', waiting: 0, in_flight: 0, dead: 2 },
      { name: 'local-MailQueue2', waiting: 0, in_flight: 0, dead: 0 },
    ],
  });
  const start = await ask('/__local');
  expect(start).toContain(
    '<th scope="row">local-WebhookQueue1</th><td class="number">0</td><td class="number">0</td><td class="number">2</td>',
  );
  sqs.destroy();
});
