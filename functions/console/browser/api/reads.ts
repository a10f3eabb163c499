import { QueryClient, useInfiniteQuery, useQuery } from '@tanstack/preact-query';
import { type ArgsOf, type BodyOf, call, type OperationId } from './call.ts';
import { ApiFailure } from './failure.ts';

const mostTries = 4;

/** What screens have read. What is on the screen is read again after whatever was sent, and when its tab comes to the front. */
export const reads = new QueryClient({
  defaultOptions: {
    queries: {
      // Being offline is told, not waited for.
      networkMode: 'always',
      staleTime: 5_000,
      retry: (failures, failure) => failure instanceof ApiFailure && failure.passes && failures < mostTries,
      retryDelay: (failures, failure) => Math.max(waitOf(failure), 1000 * 2 ** failures),
    },
  },
});

const waitOf = (failure: unknown) => (failure instanceof ApiFailure ? failure.retryAfterSeconds * 1000 : 0);

const keyOf = <Id extends OperationId>(id: Id, args: ArgsOf<Id>) => [id, args];
const asFailure = (reason: unknown) => (reason instanceof ApiFailure ? reason : undefined);

/** What a screen reads, and how far it is. */
export interface Read<Body> {
  body: Body | undefined;
  /** Why there is nothing, or nothing newer; while it waits to be tried again, why it waits. */
  failure: ApiFailure | undefined;
  /** Whether nothing is there yet and nothing failed for good. */
  loading: boolean;
  again: () => void;
}

/** Reads with an operation; every so many milliseconds again where `every` says so. */
export function useRead<Id extends OperationId>(
  id: Id,
  args: ArgsOf<Id>,
  { every, enabled = true }: { every?: (body: BodyOf<Id> | undefined) => number | false; enabled?: boolean } = {},
): Read<BodyOf<Id>> {
  const query = useQuery<BodyOf<Id>>({
    queryKey: keyOf(id, args),
    queryFn: ({ signal }) => call(id, args, { signal }),
    enabled,
    refetchInterval: ({ state }) => every?.(state.data) ?? false,
  });
  return {
    body: query.data,
    failure: asFailure(query.error ?? query.failureReason),
    loading: query.isPending && enabled,
    again: () => void query.refetch(),
  };
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
  const query = useInfiniteQuery({
    queryKey: keyOf(id, args),
    queryFn: ({ pageParam, signal }) => call(id, atCursor(args, pageParam), { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => cursorIn(page),
    enabled,
    refetchInterval: ({ state }) => every?.((state.data?.pages ?? []).flatMap((page) => itemsIn<Id>(page))) ?? false,
  });
  return {
    body: query.data?.pages.flatMap((page) => itemsIn<Id>(page)),
    failure: asFailure(query.error ?? query.failureReason),
    loading: query.isPending && enabled,
    again: () => void query.refetch(),
    more: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
    loadingMore: query.isFetchingNextPage,
  };
}

function atCursor<Id extends OperationId>(args: ArgsOf<Id>, cursor: string): ArgsOf<Id> {
  if (cursor === '') return args;
  return { ...args, query: { ...('query' in args && typeof args.query === 'object' ? args.query : {}), cursor } };
}

const cursorIn = (page: unknown): string | undefined =>
  isObject(page) && 'next_cursor' in page && typeof page.next_cursor === 'string' ? page.next_cursor : undefined;

// What `ItemOf` says of the type of the page, the compiler cannot follow for any operation.
const itemsIn = <Id extends OperationId>(page: BodyOf<Id>): ItemOf<Id>[] =>
  isObject(page) && 'items' in page && Array.isArray(page.items) ? page.items : [];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Puts a body where a screen reads it from: what a write replied need not be read again. */
export function keepReply<Id extends OperationId>(id: Id, args: ArgsOf<Id>, body: BodyOf<Id>): void {
  reads.setQueryData(keyOf(id, args), body);
}

/** Reads anew what is on the screen, and everything else when it is looked at again. */
export const readAgain = (): Promise<void> => reads.invalidateQueries();
