import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import {
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
import type { Read } from './table-reader.ts';

/** Where an item stands: what its keys hold besides the name of their kind. */
export interface Place {
  owner: string;
  own: string;
}

interface RuleFor<T> {
  /** A key of the kind, with empty ids. */
  sample: Key;
  schema: z.ZodMiniType<T>;
  /** What an operator knows the item by: ids alone, never a key, a hash of something, or a token. */
  id: (item: T, place: Place) => string;
  /** The key under which the item belongs. */
  key: (item: T, place: Place) => Key;
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

/** One kind of item, and what must hold of each. */
export interface Rule {
  readonly sample: Key;
  readonly faultsOf: (item: Item, read: Read) => Promise<string[]>;
}

/** A key holds something else where an id belongs. */
class NoIdError extends Error {}

/** The placeholder id of a sample. */
export const placeholderId = <Kind extends IdKind>(kind: Kind): Id<Kind> => idFromKey(kind, '');

/** The id that a key holds. @throws NoIdError */
export function idFromKey<Kind extends IdKind>(kind: Kind, text: string): Id<Kind> {
  if (isIdOrNone(kind, text)) return text;
  throw new NoIdError();
}

const isIdOrNone = <Kind extends IdKind>(kind: Kind, text: string): text is Id<Kind> => text === '' || isId(kind, text);

export function createRule<T>(rule: RuleFor<T>): Rule {
  async function* faultsOf(item: Item, read: Read): AsyncGenerator<string> {
    const place = placeOf(item, rule.sample);
    const parsed = rule.schema.safeParse(item);
    if (!parsed.success) return yield `${idsIn(item)}cannot be read: ${pathsOf(parsed.error)}`;
    const id = rule.id(parsed.data, place);
    const { pk, sk } = rule.key(parsed.data, place);
    if (pk !== item['pk'] || sk !== item['sk']) yield `${id} is under a key that is not its own`;
    for (const fault of indexFaults(item, await rule.list?.(parsed.data, read), rule.pending?.(parsed.data))) yield `${id} ${fault}`;
    if (!isInPlace(item, rule.queue?.(parsed.data)))
      yield `${id} is not in its place in the queue for admins, or in one that it should not have`;
    // What has expired goes at no certain time, and so does what it leads to.
    if (isExpired(item)) return;
    for await (const fault of rule.faults?.(parsed.data, read, place) ?? []) yield `${id} ${fault}`;
  }
  return {
    sample: rule.sample,
    async faultsOf(item, read) {
      try {
        const found: string[] = [];
        for await (const fault of faultsOf(item, read)) found.push(fault);
        return found;
      } catch (error) {
        if (error instanceof NoIdError) return [`${idsIn(item)}is under a key that holds no id where one belongs`];
        throw error;
      }
    },
  };
}

/** Where a schema is not met: names of attributes, and nothing of what they hold. */
export const pathsOf = ({ issues }: z.core.$ZodError) => [...new Set(issues.map(({ path }) => path.join('.')))].join(', ');

function isExpired({ ttl }: Item): boolean {
  return typeof ttl === 'number' && ttl * 1000 <= Date.now();
}

function placeOf({ pk, sk }: Item, sample: Key): Place {
  return { owner: String(pk).slice(keyPrefixOf(sample.pk).length), own: String(sk).slice(keyPrefixOf(sample.sk).length) };
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

/** The ids in the key of an item that cannot be read. */
function idsIn({ pk, sk }: Item): string {
  const ids = `${pk} ${sk}`.match(someId) ?? [];
  return ids.map((id) => `${id} `).join('');
}
