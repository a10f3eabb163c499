import { useEffect, useState } from 'preact/hooks';
import type { Product, Release, ReleaseRequest } from '../../../../../build/client.ts';
import { call } from '../../api/call.ts';
import { ApiFailure } from '../../api/failure.ts';
import { type List, type Read, readAgain, useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';

/** Most products have no more; and the screens of a release find what the list has read. */
const perPage = 100;

export type ReleaseFilter = Partial<Pick<Release, 'status' | 'channel'>>;

/** The releases of a product, newest first. */
export const useReleases = (productId: string, filter: ReleaseFilter = {}): List<Release> =>
  useList('listReleases', { path: { product_id: productId }, query: { limit: perPage, ...filter } });

export interface FoundRelease {
  read: Read<Release>;
  /** All were read, and it is not among them. */
  isMissing: boolean;
  /** Those that were read. */
  releases: readonly Release[];
  /** Puts what a write replied in the place of what was read. */
  keep: (release: Release) => void;
}

/** The release of a version, which the interface finds by its id alone: it is looked for page by page. */
export function useRelease(productId: string, version: string): FoundRelease {
  const list = useReleases(productId);
  const [reply, setReply] = useState<Release>();
  const found = list.body?.find((release) => release.version === version);
  const { more, loadingMore, failure } = list;
  const isOn = found === undefined && more !== undefined;
  useEffect(() => {
    if (isOn && !loadingMore && !failure) more();
  });
  const isNewer = found !== undefined && reply?.id === found.id && reply.revision > found.revision;
  return {
    read: { ...list, body: isNewer ? reply : found },
    isMissing: list.body !== undefined && found === undefined && !isOn,
    releases: list.body ?? [],
    keep: setReply,
  };
}

/** What the parts of a release's screen are told. */
export interface ReleaseProps {
  release: Release;
  product: Product | undefined;
  keep: (release: Release) => void;
}

/** How far a change of a draft is. */
export interface DraftSend {
  change: (make: (now: Release) => ReleaseRequest) => Promise<Release | undefined>;
  sending: boolean;
  failure: ApiFailure | undefined;
}

/** A release that became something else, so that it cannot be changed or moved as was asked, is read again. */
export function useOutdated(failure: ApiFailure | undefined): void {
  useEffect(() => {
    if (failure && outdated.includes(failure.code)) void readAgain();
  }, [failure]);
}

const outdated = ['stale_review', 'release_state_conflict', 'release_not_found', 'version_taken'];

/** One change after another: each is of what the one before left. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Changes a draft as it is now: its artifacts are sent as a whole, so that what was added elsewhere since would be lost.
 * What is a draft no longer is not made anew.
 */
export function useDraftSend({ id, product_id }: Pick<Release, 'id' | 'product_id'>, done: (release: Release) => void): DraftSend {
  const { send, failure, forget } = useSend('saveRelease', { done });
  const [waiting, setWaiting] = useState(0);
  const [unread, setUnread] = useState<ApiFailure>();
  const path = { product_id };
  useOutdated(unread ?? failure);

  async function changeNow(make: (now: Release) => ReleaseRequest): Promise<Release | undefined> {
    forget();
    setUnread(undefined);
    try {
      const now = await call('getRelease', { path: { product_id, release_id: id } });
      if (now.status !== 'draft') throw new ApiFailure({ code: 'release_state_conflict' });
      return await send({ path, body: make(now) });
    } catch (reason) {
      setUnread(reason instanceof ApiFailure ? reason : new ApiFailure({ code: 'internal_error' }));
      return undefined;
    }
  }

  async function change(make: (now: Release) => ReleaseRequest): Promise<Release | undefined> {
    setWaiting((count) => count + 1);
    const mine = last.then(() => changeNow(make));
    last = mine;
    const release = await mine;
    setWaiting((count) => count - 1);
    return release;
  }
  return { change, sending: waiting > 0, failure: unread ?? failure };
}
