import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import {
  jobKey,
  type Key,
  type ListName,
  listKey,
  listPartitions,
  pendingKey,
  pendingPartitions,
  type QueueKey,
} from '../../../../shared/db/keys.ts';
import type { Item } from '../../../../shared/db/table.ts';
import { type Id, type IdKind, isId } from '../../../../shared/ids.ts';
import { jobId } from '../../../../shared/jobs/new-job.ts';
import type { Read } from './table-reader.ts';

/** Where an item stands: what its keys hold besides the name of their kind. */
export interface Place {
  owner: string;
  own: string;
}

interface RuleFor<T> {
  schema: z.ZodMiniType<T>;
  /** What an operator knows the item by, where that is not the last id in its key: ids alone, never a key, a hash of something, or a token. */
  id?: (item: T, place: Place) => string;
  /** The key under which the item belongs, where it tells that itself. */
  key?: (item: T, place: Place) => Key;
  /** Its place in a list across owners, where it has one. */
  list?: (item: T, read: Read) => Promise<ListPlace | undefined>;
  /** When it is due, where it is in the index of pending jobs. */
  pending?: (item: T) => { id: string; dueAt: string } | undefined;
  /** Its place in the queue of what waits for an admin, where it does. */
  queue?: (item: T) => QueueKey | undefined;
  /** What else must be so, as sentences about the item that end what its id begins. */
  faults?: (item: T, read: Read, place: Place) => AsyncIterable<string>;
}

/** The place of an item in a list; without a time, the time is not known from the item. One that `isOptional` need not be there. */
export interface ListPlace {
  name: ListName;
  at?: string;
  id: string;
  isOptional?: boolean;
}

/** What does not hold of an item of one kind, which stands at this place. */
export type Rule = (item: Item, place: Place, read: Read) => Promise<string[]>;

/** A key holds something else where an id belongs. */
class NoIdError extends Error {}

/** The id that a key holds. @throws NoIdError */
export function idFromKey<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> {
  if (isId(kind, text)) return text;
  throw new NoIdError();
}

export function createRule<T>(rule: RuleFor<T>): Rule {
  async function* faultsOf(item: Item, place: Place, read: Read): AsyncGenerator<string> {
    const ids = idsIn(item);
    const parsed = rule.schema.safeParse(item);
    if (!parsed.success) return yield [...ids, `cannot be read: ${pathsOf(parsed.error)}`].join(' ');
    const id = rule.id?.(parsed.data, place) ?? ids.at(-1);
    const own = rule.key?.(parsed.data, place);
    if (own && (own.pk !== item['pk'] || own.sk !== item['sk'])) yield `${id} is under a key that is not its own`;
    for (const fault of indexFaults(item, await rule.list?.(parsed.data, read), rule.pending?.(parsed.data))) yield `${id} ${fault}`;
    if (!isInPlace(item, rule.queue?.(parsed.data)))
      yield `${id} is not in its place in the queue for admins, or in one that it should not have`;
    // What has expired goes at no certain time, and so does what it leads to.
    if (isExpired(item)) return;
    for await (const fault of rule.faults?.(parsed.data, read, place) ?? []) yield `${id} ${fault}`;
  }
  return async (item, place, read) => {
    try {
      const found: string[] = [];
      for await (const fault of faultsOf(item, place, read)) found.push(fault);
      return found;
    } catch (error) {
      if (error instanceof NoIdError) return [[...idsIn(item), 'is under a key that holds no id where one belongs'].join(' ')];
      throw error;
    }
  };
}

/** Whether a job is to do this. */
export const hasJob = async (read: Read, task: Parameters<typeof jobId>[0]) => (await read.get(jobKey(jobId(task)))) !== undefined;

/** Where a schema is not met: names of attributes, and nothing of what they hold. */
export const pathsOf = ({ issues }: z.core.$ZodError) => [...new Set(issues.map(({ path }) => path.join('.')))].join(', ');

function isExpired({ ttl }: Item): boolean {
  return typeof ttl === 'number' && ttl * 1000 <= Date.now();
}

/** The name of a kind of key, before the ids. */
export const keyPrefixOf = (key: string) => key.slice(0, key.indexOf('#') + 1) || key;

/** Numbers of shards may have been raised since: each shard of the list is right. */
function indexFaults(item: Item, list: ListPlace | undefined, pending: { id: string; dueAt: string } | undefined): string[] {
  const { listPk, listSk, pendingPk, pendingSk } = item;
  const found: string[] = [];
  const at = list?.at ?? String(listSk).slice(0, -`#${list?.id}`.length);
  const isNowhere = listPk === undefined && listSk === undefined;
  const isListed = list
    ? (list.isOptional && isNowhere) ||
      (listPartitions(list.name).some((partition) => partition === listPk) && listSk === listKey(list.name, at, list.id).listSk)
    : isNowhere;
  if (!isListed)
    found.push(list ? `is not in its place in the list ${list.name.replace(/#.*/, '')}` : 'is in a list that it does not belong to');
  const isPending = pending
    ? pendingPartitions().some((partition) => partition === pendingPk) && pendingSk === pendingKey(pending.id, pending.dueAt).pendingSk
    : pendingPk === undefined && pendingSk === undefined;
  if (!isPending) found.push(pending ? 'is not in its place among the pending jobs' : 'is among the pending jobs, and is none');
  return found;
}

const isInPlace = ({ queuePk, queueSk, queueFiles }: Item, place: QueueKey | undefined) =>
  isDeepStrictEqual(definedOf({ queuePk, queueSk, queueFiles }), { ...place });

const definedOf = (item: Item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));

const someId = /\b(?:sel|prd|fil|ord|lic|bat|whe|tok|dis|evt|mai|aud)_[0-9A-HJKMNP-TV-Z]{26}\b/g;

/** The ids in the key of an item. */
const idsIn = ({ pk, sk }: Item): readonly string[] => `${pk} ${sk}`.match(someId) ?? [];
