import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import type { Item, Table } from '../../../../shared/db/table.ts';
import type { PartitionLimits, Touched } from './partition-limits.ts';
import { type Action, actionsOf, chargesOfRead, type Reply, withoutPartitions } from './request-charges.ts';
import { type Charge, chargesOfWrite, indexPlacesOf } from './units.ts';

const idOf = ({ pk, sk }: Item) => `${pk} ${sk}`;

/**
 * Has a client's requests throttled by their partitions, as DynamoDB does: where the SDK tries again it does so here too.
 * A write needs room in the partitions of the indexes that its item is or comes to be in, since an index that lags holds
 * the writes of the table back. `items` are those of the table as it is, and `table` reads it beside the limits: no other
 * client may write to it. An update is let in by where its item stood.
 */
export function limitClient(
  client: DynamoDBClient,
  { limits, items, table }: { limits: PartitionLimits; items: Record<string, Item>; table: Table },
): void {
  const known = new Map(Object.entries(items));

  const touchedBy = ({ kind, key, item }: Action): Touched[] => [
    { place: 'table', partition: String(key['pk']), kind: 'write' },
    ...(kind === 'check' ? [] : [...indexPlacesOf(known.get(idOf(key))), ...indexPlacesOf(item)]).map(
      (place) => ({ ...place, kind: 'write' }) as const,
    ),
  ];

  /** What the writes left, by the table where the reply does not tell. */
  async function itemsAfter(actions: readonly Action[], reply: Reply): Promise<Map<string, Item>> {
    const updated = actions.filter(({ kind }) => kind === 'update').map(({ key }) => ({ pk: String(key['pk']), sk: String(key['sk']) }));
    const read = reply.Attributes ? [reply.Attributes] : await table.batchGet(updated);
    const put = actions.flatMap(({ item }) => (item ? [item] : []));
    return new Map([...read, ...put].map((item) => [idOf(item), item]));
  }

  async function chargesOf(actions: readonly Action[], reply: Reply, transactional: boolean): Promise<Charge[]> {
    const after = await itemsAfter(actions, reply);
    return actions.flatMap(({ kind, key }) => {
      const id = idOf(key);
      const before = known.get(id);
      const left = kind === 'check' ? before : after.get(id);
      if (left) known.set(id, left);
      else known.delete(id);
      return chargesOfWrite(key, before, left, { transactional });
    });
  }

  /** What a write takes whose condition does not hold: as much of the table as if it had been made. */
  const chargesOfFailure = (actions: readonly Action[], transactional: boolean) =>
    actions.flatMap(({ key }) => chargesOfWrite(key, known.get(idOf(key)), known.get(idOf(key)), { transactional }));

  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const actions = actionsOf(commandName, args.input);
        const transactional = commandName === 'TransactWriteItemsCommand';
        const closed = limits.throttle([...actions.flatMap(touchedBy), ...chargesOfRead(commandName, args.input)]);
        // Of a batch the rest is read.
        if (closed.length > 0 && commandName !== 'BatchGetItemCommand')
          throw transactional ? cancelled(actions.map(touchedBy), closed) : exceeded();
        try {
          const result = await next(args);
          const reply = result.output as Reply;
          const leftOut = new Set(closed.map(({ partition }) => partition));
          withoutPartitions(reply, args.input, leftOut);
          const read = chargesOfRead(commandName, args.input, reply).filter(({ partition }) => !leftOut.has(partition));
          limits.charge([...(await chargesOf(actions, reply, transactional)), ...read]);
          return result;
        } catch (error) {
          const isRefused = error instanceof ConditionalCheckFailedException || error instanceof TransactionCanceledException;
          if (isRefused) limits.charge(chargesOfFailure(actions, transactional));
          throw error;
        }
      },
    { step: 'finalizeRequest', priority: 'low', name: 'partitionLimits' },
  );
}

const message = 'The level of configured provisioned throughput for one or more partitions was exceeded.';
const exceeded = () => new ProvisionedThroughputExceededException({ message, $metadata: {} });

function cancelled(touched: readonly Touched[][], closed: readonly Touched[]): Error {
  const isClosed = (one: Touched) => closed.some(({ place, partition }) => place === one.place && partition === one.partition);
  const CancellationReasons = touched.map((ones) =>
    ones.some(isClosed) ? { Code: 'ThrottlingError', Message: message } : { Code: 'None' },
  );
  return new TransactionCanceledException({ message: 'Transaction cancelled', $metadata: {}, CancellationReasons });
}
