import * as z from 'zod/mini';
import type { Guard } from '../access/guard.ts';
import { queueCalls } from '../access/queue-calls.ts';
import { type PartitionKeyOf, tableCalls } from '../access/table-calls.ts';
import type { Engine } from '../engines/engine.ts';
import type { SynthesizedApp } from '../template.ts';
import { createForward } from './forward.ts';
import { type JsonService, startJsonService } from './json-service.ts';

/** What functions know as the table's endpoint: it passes on to the engine what they may do. */
export function startTableGuard(app: SynthesizedApp, engine: string, guard: Guard): Promise<Engine> {
  const keyOf = partitionKeys(app);
  return guardEngine(engine, guard, { service: 'dynamodb', deniedStatus: 400, callsOf: (operation) => tableCalls(operation, keyOf) });
}

/** What functions know as the queues' endpoint. */
export function startQueueGuard(engine: string, guard: Guard, port?: number): Promise<Engine> {
  return guardEngine(engine, guard, { service: 'sqs', deniedStatus: 403, callsOf: queueCalls, ...(port !== undefined && { port }) });
}

async function guardEngine(endpoint: string, guard: Guard, service: Omit<JsonService, 'answer'>): Promise<Engine> {
  const forward = createForward(endpoint);
  const served = await startJsonService(
    { ...service, answer: (_, message, body, response) => forward.pass(message, body, response) },
    guard,
  );
  return {
    endpoint: served.endpoint,
    async stop() {
      await served.stop();
      forward.stop();
    },
  };
}

const KeySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.string() }));
const TableProperties = z.object({
  KeySchema,
  GlobalSecondaryIndexes: z._default(z.array(z.object({ IndexName: z.string(), KeySchema })), []),
});

function partitionKeys(app: SynthesizedApp): PartitionKeyOf {
  const keys = new Map<string, string | undefined>();
  const partitionIn = (schema: z.infer<typeof KeySchema>) => schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
  for (const resource of app.ofType('AWS::DynamoDB::GlobalTable')) {
    const { KeySchema: own, GlobalSecondaryIndexes } = app.read(resource, TableProperties);
    const { ref } = app.madeOf(resource);
    keys.set(ref, partitionIn(own));
    for (const index of GlobalSecondaryIndexes) keys.set(`${ref}/${index.IndexName}`, partitionIn(index.KeySchema));
  }
  return (table, index) => keys.get(index === undefined ? table : `${table}/${index}`);
}
