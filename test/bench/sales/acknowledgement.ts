import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { compose } from '../../../functions/payment-webhooks/compose.ts';
import { settingNames } from '../../../functions/payment-webhooks/declaration.ts';
import { routes } from '../../../functions/payment-webhooks/routes.ts';
import { createPollingClient, startSqs } from '../../../infra/local/engines/queue-engine.ts';
import { createDynamoClient, createSdkDynamo } from '../../../shared/db/sdk-dynamo.ts';
import { createTable } from '../../../shared/db/table.ts';
import { createJobSender } from '../../../shared/queue/job-sender.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { httpEvent } from '../../support/http/http-event.ts';
import { sessionEvent, sign } from '../../support/samples/provider-events.ts';
import { sampleSettings } from '../../support/samples/sample-settings.ts';
import { sampleOrder, silentLogger } from '../../support/scenes/projection-harness.ts';
import { percentile } from '../percentile.ts';
import { inFlight } from './count-sales.ts';

const targetRatio = 1.5;
const warmUps = 200;
/** BENCH_ACKNOWLEDGEMENTS may ask for fewer. */
const samples = Number(process.env['BENCH_ACKNOWLEDGEMENTS'] ?? 3000);
/** Both take turns in rounds of so many, so that whatever else the machine does meets both alike. */
const roundSize = 100;

type Times = number[];

/** How long the provider waits for our reply to an event, beside one put of that event and one message, to the same engines. */
export async function measureAcknowledgements(): Promise<Record<string, string | number>[]> {
  const sqs = await startSqs();
  try {
    const { reply, putAndSend } = await openWebhook(sqs.endpoint);
    const rows = [];
    for (const lanes of [1, 64]) rows.push(...(await compare(lanes, putAndSend, reply)));
    return rows;
  } finally {
    await sqs.stop();
  }
}

async function openWebhook(endpoint: string) {
  const { tableName } = await createTestTable();
  const client = createDynamoClient();
  const queues = createPollingClient(endpoint);
  const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: 'webhooks' }));
  const settings = sampleSettings(settingNames, { WEBHOOK_QUEUE_URL: QueueUrl ?? '', PAYMENT_WEBHOOK_SECRET: 'whsec_of_the_platform' });
  const logger = silentLogger;
  const sender = createJobSender({ queues: settings, logger, client: queues });
  const handler = compose({ settings, logger, table: createTable({ tableName, dynamo: createSdkDynamo(client) }), sender });

  function signedEvent(): APIGatewayProxyEventV2 {
    const body = JSON.stringify(sessionEvent(sampleOrder(), 'completed'));
    const headers = { 'Content-Type': 'application/json', 'Payment-Signature': sign(body, 'whsec_of_the_platform') };
    return httpEvent(routes, 'POST', '/v1/payment/webhook', { body, headers });
  }

  return {
    /** Makes a request, and then what is measured of it. */
    reply() {
      const event = signedEvent();
      return async () => {
        const { statusCode } = await handler(event, {} as Context);
        if (statusCode !== 200) throw new Error(`The webhook answered ${statusCode}.`);
      };
    },
    putAndSend() {
      const event = sessionEvent(sampleOrder(), 'completed');
      const Item = marshall({ pk: `EVENT#${event.id}`, sk: 'EVENT', ...event });
      return async () => {
        await client.send(new PutItemCommand({ TableName: tableName, Item }));
        await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ jobId: event.id }) }));
      };
    },
  };
}

async function compare(lanes: number, putAndSend: () => () => Promise<void>, reply: () => () => Promise<void>) {
  const times: Record<'bare' | 'webhook', Times> = { bare: [], webhook: [] };
  for (let done = -warmUps; done < samples; done += roundSize) {
    for (const [what, prepare] of [['bare', putAndSend] as const, ['webhook', reply] as const]) {
      const measured = await timesOf(lanes, prepare);
      if (done >= 0) times[what].push(...measured);
    }
  }
  const ratio = (share: number) => (percentile(times.webhook, share) / percentile(times.bare, share)).toFixed(2);
  const row = (what: string, measured: Times) => ({
    'in flight': lanes,
    what,
    'p50 ms': percentile(measured, 0.5).toFixed(2),
    'p99 ms': percentile(measured, 0.99).toFixed(2),
  });
  return [
    { ...row('one put and one message', times.bare), 'p50 ratio': '1.00', 'p99 ratio': '1.00', 'p99 target': '' },
    { ...row('reply of the webhook', times.webhook), 'p50 ratio': ratio(0.5), 'p99 ratio': ratio(0.99), 'p99 target': `≤ ${targetRatio}` },
  ];
}

async function timesOf(lanes: number, prepare: () => () => Promise<void>): Promise<Times> {
  const times: Times = [];
  const calls = Array.from({ length: roundSize }, prepare);
  await inFlight(lanes, calls, async (call) => {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  });
  return times;
}
