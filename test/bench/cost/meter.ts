import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** What some work took. */
export interface Usage {
  cpuMs: number;
  readUnits: number;
  writeUnits: number;
  /** Requests to the table. */
  requests: number;
  /** Requests to the payment provider. */
  providerRequests: number;
}

const reads = new Set(['GetItem', 'BatchGetItem', 'Query', 'TransactGetItems']);

interface Consumption {
  CapacityUnits?: number;
}

/**
 * Measures work of this process, on a table and at a provider that nobody else uses. The units are those that the
 * table's engine tells of; of a request that fails it tells none.
 */
export function createMeter({ client, providerHost }: { client: DynamoDBClient; providerHost?: string }) {
  let usage = nothing();
  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
        usage.requests += 1;
        const result = await next(args);
        const { ConsumedCapacity } = result.output as { ConsumedCapacity?: Consumption | Consumption[] };
        const units = [ConsumedCapacity ?? []].flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
        if (reads.has(commandName.replace('Command', ''))) usage.readUnits += units;
        else usage.writeUnits += units;
        return result;
      },
    { step: 'initialize' },
  );
  const count = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    if (request.getHeader('host') === providerHost) usage.providerRequests += 1;
  };
  subscribe('http.client.request.start', count);

  return {
    async measure<T>(work: () => Promise<T>): Promise<{ result: T; usage: Usage }> {
      usage = nothing();
      const before = process.cpuUsage();
      const result = await work();
      const { user, system } = process.cpuUsage(before);
      return { result, usage: { ...usage, cpuMs: (user + system) / 1000 } };
    },
    stop: () => void unsubscribe('http.client.request.start', count),
  };
}

const nothing = (): Usage => ({ cpuMs: 0, readUnits: 0, writeUnits: 0, requests: 0, providerRequests: 0 });
