import { useEffect, useState } from 'preact/hooks';
import type { Product, Release, ReleaseRequest } from '../../../../../build/client.ts';
import { call } from '../../api/call.ts';
import { ApiFailure } from '../../api/failure.ts';
import { type List, type Read, useList } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { useOutdated } from '../../api/use-outdated.ts';

export type ReleaseFilter = Partial<Pick<Release, 'status' | 'channel'>>;

/** The releases of a product, newest first. Most products have no more than one page, where their screens find them. */
export const useReleases = (productId: string, filter: ReleaseFilter = {}): List<Release> =>
  useList('listReleases', { path: { product_id: productId }, query: { limit: 100, ...filter } });

/** What the parts of a release's screen are told. */
export interface ReleaseProps {
  release: Release;
  product: Product | undefined;
  /** Those of its product that were read. */
  releases: readonly Release[];
  /** Puts what a write replied in the place of what was read. */
  keep: (release: Release) => void;
}

/** The release of a version, which the interface finds by its id alone: it is looked for page by page. */
export function useRelease(productId: string, version: string) {
  const list = useReleases(productId);
  const [reply, setReply] = useState<Release>();
  const found = list.body?.find((release) => release.version === version);
  const { more, loadingMore, failure } = list;
  const isOn = found === undefined && more !== undefined;
  useEffect(() => {
    if (isOn && !loadingMore && !failure) more();
  });
  const isNewer = found !== undefined && reply?.id === found.id && reply.revision > found.revision;
  const read: Read<Release> = { ...list, body: isNewer ? reply : found };
  return { read, isMissing: list.body !== undefined && found === undefined && !isOn, releases: list.body ?? [], keep: setReply };
}

/** One change after another: each is of what the one before left. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Changes a draft as it is now: its artifacts are sent as a whole, so that what was added elsewhere since would be lost.
 * What is a draft no longer is not made anew.
 */
export function useDraftUpdate({ release: { id, product_id }, keep }: Pick<ReleaseProps, 'release' | 'keep'>) {
  const { send, failure, forget } = useSend('saveRelease', { done: keep });
  const [waiting, setWaiting] = useState(0);
  const [unread, setUnread] = useState<ApiFailure>();
  useOutdated(unread ?? failure);

  async function changeNow(make: (now: Release) => Omit<ReleaseRequest, 'version'>): Promise<Release | undefined> {
    forget();
    setUnread(undefined);
    try {
      const now = await call('getRelease', { path: { product_id, release_id: id } });
      if (now.status !== 'draft') throw new ApiFailure({ code: 'release_state_conflict' });
      return await send({ path: { product_id }, body: { ...make(now), version: now.version, expected_revision: now.revision } });
    } catch (reason) {
      setUnread(reason instanceof ApiFailure ? reason : new ApiFailure({ code: 'internal_error' }));
      return undefined;
    }
  }

  async function change(make: Parameters<typeof changeNow>[0]): Promise<Release | undefined> {
    setWaiting((count) => count + 1);
    const mine = last.then(() => changeNow(make));
    last = mine;
    const release = await mine;
    setWaiting((count) => count - 1);
    return release;
  }
  return { change, sending: waiting > 0, failure: unread ?? failure };
}
