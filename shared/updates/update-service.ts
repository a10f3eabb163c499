/** What updaters are offered. See "What is offered" in README.md */

import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import type { ProofFault, ProvenDevice, ShownProof } from '../leases/update-proof.ts';
import { testMarkOf } from '../licenses/license.ts';
import { createLinks, type Followed, type Links } from './addresses.ts';
import type { Audience, PublishedRelease } from './catalog.ts';
import { type ListedReleases } from './catalog-repository.ts';
import { decideOffers, type Offers } from './offers.ts';
import { coverageOf, coveringOf, obstacleOf, type UpdateCode } from './standing.ts';
import { type CoveredLicense, readForFeed } from './update-repository.ts';

/** What an updater asks of a product's feed. */
export interface FeedRequest extends Pick<Audience, 'feed' | 'bundle'> {
  productId: ProductId;
  shown: ShownProof;
  /** Parses the rest of the path. @throws AppError invalid_request */
  follow: () => Followed;
  /** The version and the system of the device, as far as it tells them rightly. */
  current?: string | undefined;
  os?: string | undefined;
  /** The maximum number of updates in the feed; default 1. */
  most?: number | undefined;
}

/** The answer to a feed request. */
export interface FeedAnswer extends Omit<Offers, 'code'> {
  code: UpdateCode;
  followed: Followed;
  productName: string;
  links: Links;
  listed: ListedReleases;
  /** Until when the license is owed updates, where one was proven and it has an end. */
  updatesUntil?: string | undefined;
  /** Whether the license covers a release; none where nothing can be offered. */
  covers: (release: PublishedRelease) => boolean;
}

/**
 * What is offered now, or nothing and why.
 *
 * @throws AppError rate_limited, invalid_request; product_not_found whatever the proof
 */
export async function findUpdateOffers(
  c: Needs<'table' | 'now' | 'catalogs' | 'limitInMemory' | 'PUBLIC_BASE_URL' | 'verifyProof'>,
  request: FeedRequest,
): Promise<FeedAnswer> {
  const { productId, shown, feed, bundle, current, os, most } = request;
  const proven = c.verifyProof(shown, productId, c.now());
  if (typeof proven === 'object') await c.limitInMemory('updates', proven.licenseId);
  const followed = request.follow();
  const licenseId = typeof proven === 'object' ? proven.licenseId : undefined;
  const asked = await readForFeed(c.table, productId, licenseId, (revision) => c.catalogs.recall(productId, revision));
  if (!asked) throw new AppError('product_not_found');
  const { product, license } = asked;
  const listed = asked.kept ?? (await c.catalogs.readReleases(product.id, asked.index));
  const about = {
    followed,
    productName: product.name,
    listed,
    links: createLinks({ publicBaseUrl: c.settings.PUBLIC_BASE_URL, productId: product.id, slug: product.slug, proof: shown.ticket }),
  };
  const nothing = (code: UpdateCode) => ({ ...about, code, offered: [], covers: () => false });

  if (asked.isSuspended) return nothing('product_unavailable');
  const owner = ownerOf(proven, license);
  if (typeof owner === 'string') return nothing(owner);
  const covering = coveringOf(owner.license, c.now());
  const { updatesUntil } = covering;
  const obstacle = obstacleOf(covering);
  if (obstacle) return { ...nothing(obstacle), updatesUntil };
  const covers = coverageOf(covering);
  const offers = decideOffers(
    listed.catalog.candidatesFor({ ...followed, feed, bundle }),
    { covers, device: owner.device, current, os },
    most,
  );
  return { ...about, ...offers, updatesUntil, covers };
}

/** The proven license. A proof for a license that does not exist, or for a test key, is invalid. */
export function ownerOf(
  proven: ProvenDevice | ProofFault,
  license: CoveredLicense | undefined,
): { license: CoveredLicense; device: string } | ProofFault {
  if (typeof proven === 'string') return proven;
  return license && !testMarkOf(license).test ? { license, device: proven.device } : 'proof_invalid';
}
