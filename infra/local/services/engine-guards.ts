import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import type { Call, Operation } from '../access/call.ts';
import type { Credentials } from '../access/credentials.ts';
import type { Guard } from '../access/guard.ts';
import { type PartitionKeyOf, tableCalls } from '../access/table-calls.ts';
import { type Engine, StartError } from '../engines/engine.ts';
import { TableProperties } from '../engines/provision.ts';
import { account, region } from '../references.ts';
import type { SynthesizedApp } from '../template.ts';
import { type JsonService, sendError, startJsonService } from './json-service.ts';

/** What the engines know everyone by, who do not look at signatures. */
export const engineCredentials: Credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

/** What functions know as the table's endpoint: it passes on to the engine what they may do. */
export function startTableGuard(app: SynthesizedApp, engine: string, guard: Guard): Promise<Engine> {
  const keyOf = partitionKeys(app);
  return guardEngine(engine, guard, { service: 'dynamodb', deniedStatus: 400, callsOf: (operation) => tableCalls(operation, keyOf) });
}

const QueueInput = z.looseObject({ QueueUrl: z.optional(z.string()), QueueName: z.optional(z.string()) });

/** What a request to the queues is allowed by. A batch is allowed by the action for one message. */
function queueCalls({ name, input }: Operation): Call[] {
  const { QueueUrl, QueueName = QueueUrl?.split('/').at(-1) } = z.parse(QueueInput, input);
  const resource = QueueName ? `arn:aws:sqs:${region}:${account}:${QueueName}` : '*';
  return [{ action: `sqs:${name.replace(/Batch$/, '')}`, resource }];
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

function partitionKeys(app: SynthesizedApp): PartitionKeyOf {
  const keys = new Map<string, string | undefined>();
  const partitionIn = (schema: z.infer<typeof TableProperties>['KeySchema']) =>
    schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName;
  for (const resource of app.ofType('AWS::DynamoDB::GlobalTable')) {
    const { KeySchema: own, GlobalSecondaryIndexes = [] } = app.read(resource, TableProperties);
    const { ref } = app.madeOf(resource);
    keys.set(ref, partitionIn(own));
    for (const index of GlobalSecondaryIndexes) keys.set(`${ref}/${index.IndexName}`, partitionIn(index.KeySchema));
  }
  return (table, index) => keys.get(index === undefined ? table : `${table}/${index}`);
}

/** Passes requests on to an engine as they are, and its replies back. Engines that keep data apart by access key see one key alone. */
function createForward(endpoint: string) {
  const { hostname, port, protocol } = new URL(endpoint);
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const hasBody = (method: string | undefined) => method !== 'GET' && method !== 'HEAD';
  if (protocol !== 'http:') throw new StartError(`${endpoint} cannot be used: engines are reached by plain http alone.`);

  return {
    pass(message: IncomingMessage, body: Buffer, response: ServerResponse): void {
      const { method, url, headers } = message;
      const { host: _, 'x-amz-security-token': __, connection: ___, 'transfer-encoding': ____, ...others } = headers;
      const authorization = headers.authorization?.replace(/Credential=[^/]+/, `Credential=${engineCredentials.accessKeyId}`);
      const passed = request(
        { hostname, port, agent, method, path: url, headers: { ...others, authorization, 'content-length': body.length } },
        (reply) => {
          response.writeHead(reply.statusCode ?? 500, reply.headers);
          reply.pipe(response);
        },
      );
      passed.once('error', () => {
        if (response.headersSent) response.destroy();
        else sendError(response, 'InternalServerError', 'The engine cannot be reached.', 500);
      });
      response.once('close', () => response.writableFinished || passed.destroy());
      passed.end(hasBody(method) ? body : undefined);
    },
    stop: () => agent.destroy(),
  };
}
