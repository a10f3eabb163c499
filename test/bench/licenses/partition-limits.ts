import { setTimeout as sleep } from 'node:timers/promises';
import { type DynamoDBClient, TransactionCanceledException, type TransactWriteItem } from '@aws-sdk/client-dynamodb';

/** What DynamoDB lets a partition take. */
const unitsPerSecond = 1000;
/** What a partition may save up while it is idle: little, so that a short run shows the rate that lasts. */
const mostSaved = unitsPerSecond / 10;
/** Of an item up to 1 KB in a transaction, written or checked. */
const unitsOfItem = 2;
/** How long a transaction takes in the cloud at the least: an assumption, since the local engine is faster. */
const transactionMs = 10;

/**
 * Puts limits of the cloud on the transactions of a client, whose items are at most 1 KB each. A partition takes
 * 1,000 write units a second, and refuses more with ThrottlingError. With `collide`, a transaction
 * takes 10 ms or more, and another with one of its items meanwhile is refused with TransactionConflict. What is throttled costs
 * no units; all else does, whatever becomes of it, as failed conditions do in the cloud.
 */
export function limitPartitions(client: DynamoDBClient, { collide }: { collide: boolean }) {
  const partitions = new Map<string, { saved: number; at: number }>();
  const inUse = new Set<string>();
  let units = 0;

  /** The partition, with what it saved up until now. */
  function refilled(name: string) {
    const now = performance.now();
    const partition = partitions.get(name) ?? { saved: mostSaved, at: now };
    partition.saved = Math.min(mostSaved, partition.saved + ((now - partition.at) / 1000) * unitsPerSecond);
    partition.at = now;
    partitions.set(name, partition);
    return partition;
  }

  /** Takes the units of every partition, or of none: then those that have too few. */
  function takeUnits(keys: readonly ItemKey[]): ReadonlySet<string> {
    const names = [...new Set(keys.map(({ partition }) => partition))];
    const wanted = names.map((name) => {
      const cost = unitsOfItem * keys.filter(({ partition }) => partition === name).length;
      return { name, cost, partition: refilled(name) };
    });
    const short = wanted.filter(({ cost, partition }) => partition.saved < cost);
    if (short.length > 0) return new Set(short.map(({ name }) => name));
    for (const { cost, partition } of wanted) partition.saved -= cost;
    units += unitsOfItem * keys.length;
    return new Set();
  }

  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (commandName !== 'TransactWriteItemsCommand') return next(args);
        const keys = (args.input as { TransactItems: TransactWriteItem[] }).TransactItems.map(keyOf);
        const short = takeUnits(keys);
        if (short.size > 0) throw cancelled(keys.map(({ partition }) => (short.has(partition) ? 'ThrottlingError' : 'None')));
        if (!collide) return next(args);
        if (keys.some(({ item }) => inUse.has(item))) {
          throw cancelled(keys.map(({ item }) => (inUse.has(item) ? 'TransactionConflict' : 'None')));
        }
        for (const { item } of keys) inUse.add(item);
        try {
          const [answer] = await Promise.all([next(args), sleep(transactionMs)]);
          return answer;
        } finally {
          for (const { item } of keys) inUse.delete(item);
        }
      },
    // Here a request is as it goes to the engine.
    { step: 'build' },
  );
  return {
    /** All units that were taken since the last call. */
    takeSpent() {
      const spent = units;
      units = 0;
      return spent;
    },
  };
}

interface ItemKey {
  partition: string;
  item: string;
}

function keyOf({ Put, Update, Delete, ConditionCheck }: TransactWriteItem): ItemKey {
  const key = Put?.Item ?? (Update ?? Delete ?? ConditionCheck)?.Key;
  const partition = key?.['pk']?.S ?? '';
  return { partition, item: `${partition} ${key?.['sk']?.S}` };
}

const cancelled = (codes: readonly string[]) =>
  new TransactionCanceledException({ message: 'cancelled', $metadata: {}, CancellationReasons: codes.map((Code) => ({ Code })) });
