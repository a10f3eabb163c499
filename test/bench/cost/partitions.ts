import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { attributeBytes } from '../../../shared/db/item-size.ts';

/** What one partition takes in a second, in units. */
export const partitionLimits = { reads: 3000, writes: 1000 } as const;

/** A transactional write takes twice the units; what follows in an index is no transaction. */
const unitsOfTransaction = 2;

type Parts = Record<string, unknown>;
type TransactItem = Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', { Item?: Parts; Key?: Parts }>>;

/** Counts on this client which partition takes how many write units, those of the indexes too. Items that are updated are taken as under 1 KB, and as staying where they are in an index. */
export function countPartitions(client: DynamoDBClient) {
  let units = new Map<string, number>();
  const add = (partition: unknown, more: number) => {
    if (typeof partition === 'string') units.set(partition, (units.get(partition) ?? 0) + more);
  };

  function addWrite({ Item, Key }: { Item?: Parts; Key?: Parts }, times: number): void {
    const item = plain(Item ?? Key ?? {});
    const kilobytes = Math.max(1, Math.ceil(attributeBytes(item) / 1024));
    add(item['pk'], times * kilobytes);
    add(item['listPk'], kilobytes);
    add(item['pendingPk'], kilobytes);
  }

  client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) => {
        const input = args.input as { TransactItems?: TransactItem[]; Item?: Parts; Key?: Parts };
        if (commandName.startsWith('TransactWrite')) {
          for (const write of (input.TransactItems ?? []).flatMap((each) => Object.values(each))) addWrite(write, unitsOfTransaction);
        } else if (/^(Put|Update|Delete)Item|^(Put|Update|Delete)Command/.test(commandName)) addWrite(input, 1);
        return next(args);
      },
    { step: 'initialize' },
  );
  return {
    /** The partition that took most since the last call, and its units. */
    takeHottest(): { partition: string; units: number } {
      const [[partition, most] = ['', 0]] = [...units].toSorted(([, a], [, b]) => b - a);
      units = new Map();
      return { partition, units: most };
    },
  };
}

/** The document client marshals before or after this, by how it is called. */
const plain = (parts: Parts): Parts => (typeof parts['pk'] === 'object' ? unmarshall(parts as Parameters<typeof unmarshall>[0]) : parts);
