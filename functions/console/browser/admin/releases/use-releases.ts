import { useEffect, useRef, useState } from 'preact/hooks';
import type { ArgsOf } from '../../api/call.ts';
import { type List, useList } from '../../api/reads.ts';
import type { ReviewedRelease } from './last-release.ts';

type Status = NonNullable<NonNullable<ArgsOf<'listReleasesForReview'>['query']>['status']>;

/** A filtered list may come in short pages; so many are read on by themselves. */
const maxPages = 20;

function useReleasesIn(productId: string, status: Status, enabled = true): List<ReviewedRelease> {
  const list = useList('listReleasesForReview', { query: { product_id: productId, status, limit: 100 } }, { enabled });
  const pages = useRef(1);
  const { more, loadingMore } = list;
  useEffect(() => {
    if (!more || loadingMore || pages.current >= maxPages) return;
    pages.current += 1;
    more();
  }, [more, loadingMore]);
  return list;
}

/** A version of a product as far as it was found, and what is published of the product. */
export interface FoundRelease {
  release: ReviewedRelease | undefined;
  published: readonly ReviewedRelease[];
  /** Of the lists it may be in, that which failed or is being read; undefined when all are there. */
  unread: List<ReviewedRelease> | undefined;
  /** Looks where nothing is to be decided too; undefined where that was done. */
  lookFurther: (() => void) | undefined;
}

/** Finds a version where something can be decided on it; one that was there and is not any more, wherever it went. */
export function useReleases(productId: string, version: string): FoundRelease {
  const [further, setFurther] = useState(false);
  const published = useReleasesIn(productId, 'published');
  const others = [
    useReleasesIn(productId, 'pending_review'),
    useReleasesIn(productId, 'approved'),
    useReleasesIn(productId, 'draft', further),
    useReleasesIn(productId, 'yanked', further),
  ];
  const lists = [published, ...others];
  const found = lists.flatMap(({ body = [] }) => body.filter((release) => release.version === version));
  // While some lists are newer than others it may be in two.
  const latest = found.toSorted((a, b) => b.revision - a.revision)[0];
  const last = useRef(latest);
  const unread = lists.find(({ failure, loading }) => failure || loading);
  useEffect(() => {
    if (last.current && !latest) setFurther(true);
    last.current = latest ?? last.current;
  }, [latest]);
  return {
    // Until it is found again it stays as it was, with what is told about it.
    release: latest ?? (further && !unread ? undefined : last.current),
    published: published.body ?? [],
    unread,
    lookFurther: further ? undefined : () => setFurther(true),
  };
}
