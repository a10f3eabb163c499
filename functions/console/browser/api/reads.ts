import { useEffect, useReducer } from 'preact/hooks';
import { type ArgsOf, type BodyOf, call, type OperationId } from './call.ts';
import { type Cell, createCell, freshMs } from './cell.ts';
import type { ApiFailure } from './failure.ts';

/** The replies of an operation to some arguments: one, or the pages of a list as far as it was read. */
type Pages<Id extends OperationId> = readonly BodyOf<Id>[];
type Cells = { [Id in OperationId]?: Map<string, Cell<Pages<Id>>> };

/** The cache of reads. It is refreshed after every write and when the tab becomes visible. */
const cells: Cells = {};
const clock = { now: () => Date.now(), later: (ms: number, act: () => void) => void setTimeout(act, ms) };

function cellOf<Id extends OperationId>(id: Id, args: ArgsOf<Id>): Cell<Pages<Id>> {
  const known: Map<string, Cell<Pages<Id>>> = cells[id] ?? new Map();
  Object.assign(cells, { [id]: known });
  const key = JSON.stringify(args);
  const cell = known.get(key) ?? createCell<Pages<Id>>((before) => pagesOf(id, args, before?.length ?? 1), clock);
  known.set(key, cell);
  return cell;
}

/** So many pages of a list, or the one reply. */
async function pagesOf<Id extends OperationId>(id: Id, args: ArgsOf<Id>, count: number): Promise<Pages<Id>> {
  const pages = [await call(id, args)];
  for (let next = cursorIn(pages[0]); next !== undefined && pages.length < count; next = cursorIn(pages.at(-1))) {
    pages.push(await call(id, atCursor(args, next)));
  }
  return pages;
}

/** What a screen reads, and how far it is. */
export interface Read<Body> {
  body: Body | undefined;
  /** Why there is nothing, or nothing newer; while it waits to be tried again, why it waits. */
  failure: ApiFailure | undefined;
  /** Whether nothing is there yet and nothing failed for good. */
  loading: boolean;
}

const nothing = { value: undefined, failure: undefined, reading: false };

function useCell<Id extends OperationId>(
  id: Id,
  args: ArgsOf<Id>,
  every: ((pages: Pages<Id> | undefined) => number | false) | undefined,
  enabled: boolean,
) {
  const cell = enabled ? cellOf(id, args) : undefined;
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => cell?.subscribe(() => draw(0)), [cell]);
  const { value, failure, reading } = cell?.get() ?? nothing;
  const ms = cell ? (every?.(value) ?? false) : false;
  useEffect(() => {
    if (ms === false) return;
    // Hidden tabs are refreshed when they become visible.
    const timer = setInterval(() => !document.hidden && cell?.read(), ms);
    return () => clearInterval(timer);
  }, [cell, ms]);
  return { cell, value, failure, loading: enabled && value === undefined && (reading || !failure) };
}

/** Reads with an operation; every so many milliseconds again where `every` says so. */
export function useRead<Id extends OperationId>(
  id: Id,
  args: ArgsOf<Id>,
  { every, enabled = true }: { every?: (body: BodyOf<Id> | undefined) => number | false; enabled?: boolean } = {},
): Read<BodyOf<Id>> {
  const { value, failure, loading } = useCell(id, args, every && ((pages) => every(pages?.[0])), enabled);
  return { body: value?.[0], failure, loading };
}

/** An element of the list that the operation gives. */
export type ItemOf<Id extends OperationId> = BodyOf<Id> extends { items: (infer Item)[] } ? Item : never;

/** A list as far as it was read. */
export interface List<Item> extends Read<Item[]> {
  /** Reads the next page; undefined where there is none. */
  more: (() => void) | undefined;
  loadingMore: boolean;
}

/** Reads a list page by page. */
export function useList<Id extends OperationId>(
  id: Id,
  args: ArgsOf<Id>,
  { every, enabled = true }: { every?: (items: ItemOf<Id>[]) => number | false; enabled?: boolean } = {},
): List<ItemOf<Id>> {
  const itemsOf = (pages: Pages<Id> | undefined) => (pages ?? []).flatMap((page) => itemsIn<Id>(page));
  const { cell, value, failure, loading } = useCell(id, args, every && ((pages) => every(itemsOf(pages))), enabled);
  const next = cursorIn(value?.at(-1));
  return {
    body: value && itemsOf(value),
    failure,
    loading,
    more: next === undefined ? undefined : () => cell?.read(async (before = []) => [...before, await call(id, atCursor(args, next))]),
    loadingMore: value !== undefined && cell?.get().reading === true,
  };
}

function atCursor<Id extends OperationId>(args: ArgsOf<Id>, cursor: string): ArgsOf<Id> {
  return { ...args, query: { ...('query' in args && typeof args.query === 'object' ? args.query : {}), cursor } };
}

const cursorIn = (page: unknown): string | undefined =>
  isObject(page) && 'next_cursor' in page && typeof page.next_cursor === 'string' ? page.next_cursor : undefined;

// What `ItemOf` says of the type of the page, the compiler cannot follow for any operation.
const itemsIn = <Id extends OperationId>(page: BodyOf<Id>): ItemOf<Id>[] =>
  isObject(page) && 'items' in page && Array.isArray(page.items) ? page.items : [];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Puts a body where a screen reads it from: what a write replied need not be read again. */
export function storeReply<Id extends OperationId>(id: Id, args: ArgsOf<Id>, body: BodyOf<Id>): void {
  cellOf(id, args).put([body]);
}

/** Reads anew what is on the screen, and everything else when it is looked at again; only what is older where `ms` says so. */
export function refresh(ms = 0): void {
  for (const known of Object.values(cells)) {
    for (const [key, cell] of known) {
      // What nobody looks at need not be kept for long.
      if (!cell.isObserved()) known.delete(key);
      else if (Date.now() - cell.freshSince() >= ms) cell.invalidate();
    }
  }
}

document.addEventListener('visibilitychange', () => !document.hidden && refresh(freshMs));
