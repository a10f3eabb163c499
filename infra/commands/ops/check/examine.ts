import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Key } from '../../../../shared/db/keys.ts';
import type { Item } from '../../../../shared/db/table.ts';
import { keyPrefixOf } from './rule.ts';
import { itemKindOf, wordsOf } from './rules.ts';
import type { Read, TableReader } from './table-reader.ts';

/** Milliseconds between two reads of the same items: longer than a transaction takes to be seen on all of its items. */
const pauses = [1000, 1000, 2000, 4000, 8000];

export interface Verdict {
  faults: string[];
  /** The items changed each time they were looked at, so nothing can be said of them. */
  unsettled: boolean;
}

const sound: Verdict = { faults: [], unsettled: false };

/**
 * Reports what is wrong with an item. A fault at first sight may be caused by a change in progress: the item, and all
 * that the rule reads for it, is then read strongly consistently until two reads in a row see the same, so that what is
 * told held at one moment between the two.
 */
export function createExamine({
  reader,
  wait = sleep,
}: {
  reader: TableReader;
  wait?: ((milliseconds: number) => Promise<unknown>) | undefined;
}) {
  /** What the rule says of the item as it is now, and everything it read. */
  async function look(key: Key): Promise<{ faults: string[]; seen: unknown[] }> {
    const seen: unknown[] = [];
    const record = <T>(value: T): T => {
      seen.push(value);
      return value;
    };
    const read: Read = {
      get: async (wanted) => record(await reader.now.get(wanted)),
      query: async (range) => record(await reader.now.query(range)),
    };
    const item = record(await reader.now.get(key));
    return { faults: item ? await faultsOf(item, read) : [], seen };
  }

  async function settle(key: Key): Promise<Verdict> {
    let before = await look(key);
    for (const pause of pauses) {
      if (before.faults.length === 0) return sound;
      await wait(pause);
      const after = await look(key);
      if (sameItems(before.seen, after.seen)) return { faults: after.faults, unsettled: false };
      before = after;
    }
    return { faults: [], unsettled: before.faults.length > 0 };
  }

  return async (item: Item): Promise<Verdict> => {
    const suspected = await faultsOf(item, reader.lately);
    return suspected.length === 0 ? sound : settle({ pk: String(item['pk']), sk: String(item['sk']) });
  };
}

async function faultsOf(item: Item, read: Read): Promise<string[]> {
  const kind = itemKindOf(item);
  if (!kind) return [`an item of a kind that is not known: ${nameIn(item['pk'])} ${nameIn(item['sk'])}`];
  return (await kind.rule(item, kind.placeOf(item), read)).map((fault) => `${wordsOf(kind.name)}: ${fault}`);
}

/** Several reads of one rule may end in any order. */
function sameItems(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.length === others.length && some.every((value) => others.some((other) => isDeepStrictEqual(value, other)));
}

/** The name in a key, if it looks like one of ours: anything else might be a secret. */
function nameIn(key: unknown): string {
  const [name = ''] = /^[A-Z_]{1,30}$/.exec(keyPrefixOf(String(key)).replace(/#$/, '')) ?? [];
  return name || 'without a name';
}
