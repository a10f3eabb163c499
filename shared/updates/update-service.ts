/** What updaters are offered. See "What is offered" in README.md */

import type { Needs } from '../context.ts';
import { AppError } from '../errors.ts';
import type { ProductId } from '../ids.ts';
import type { PresentedProof, ProofFault, ProvenDevice } from '../leases/update-proof.ts';
import { testFieldOf } from '../licenses/license.ts';
import type { FeedAudience, PublishedRelease } from './catalog/catalog.ts';
import type { ListedReleases } from './catalog/catalogs.ts';
import { chooseUpdates, joinChoices, type UpdateChoice } from './catalog/choose-updates.ts';
import { createLinks, type FeedLinks, type FeedScope } from './feeds/feed-addresses.ts';
import { blockedUpdateCode, coverageFactsOf, coverageTest, type UpdateCode } from './update-codes.ts';
import { type CoveredLicense, readForFeed } from './update-repository.ts';

/** What an updater asks of a product's feed. */
export interface FeedRequest extends Pick<FeedAudience, 'feed' | 'bundle'> {
  productId: ProductId;
  presented: PresentedProof;
  /** Parses the rest of the path. @throws AppError invalid_request */
  parseScope: () => FeedScope;
  /** The version and the system of the device, as far as it tells them rightly. */
  current?: string | undefined;
  os?: string | undefined;
  /** The maximum number of updates in the feed; default 1. */
  max?: number | undefined;
}

/** The answer to a feed request. */
export interface FeedAnswer extends Omit<UpdateChoice, 'code'> {
  code: UpdateCode;
  scope: FeedScope;
  productName: string;
  links: FeedLinks;
  releases: ListedReleases;
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
export async function findUpdates(
  c: Needs<'table' | 'now' | 'catalogs' | 'limitInMemory' | 'PUBLIC_BASE_URL' | 'verifyProof'>,
  request: FeedRequest,
): Promise<FeedAnswer> {
  const { productId, presented: shown, feed, bundle, current, os, max: most } = request;
  const proven = c.verifyProof(shown, productId, c.now());
  if (typeof proven === 'object') await c.limitInMemory('updates', proven.licenseId);
  const scope = request.parseScope();
  const licenseId = typeof proven === 'object' ? proven.licenseId : undefined;
  const found = await readForFeed(c.table, productId, licenseId, (revision) => c.catalogs.recall(productId, revision));
  if (!found) throw new AppError('product_not_found');
  const { product, license } = found;
  const releases = found.kept ?? (await c.catalogs.readReleases(product.id, found.index));
  const about = {
    scope,
    productName: product.name,
    releases,
    links: createLinks({ publicBaseUrl: c.settings.PUBLIC_BASE_URL, productId: product.id, slug: product.slug, proof: shown.ticket }),
  };
  const nothing = (code: UpdateCode) => ({ ...about, code, offered: [], covers: () => false });

  if (found.isSuspended) return nothing('product_unavailable');
  const owner = provenLicense(proven, license);
  if (typeof owner === 'string') return nothing(owner);
  const covering = coverageFactsOf(owner.license, c.now());
  const { updatesUntil } = covering;
  const obstacle = blockedUpdateCode(covering);
  if (obstacle) return { ...nothing(obstacle), updatesUntil };
  const covers = coverageTest(covering);
  const offersOf = (extension?: string) =>
    chooseUpdates(
      releases.catalog.candidatesFor({ ...scope, feed, bundle, extension }),
      { covers, device: owner.device, current, os },
      most,
    );
  const offers = scope.extensions ? joinChoices(scope.extensions.map(offersOf)) : offersOf();
  return { ...about, ...offers, updatesUntil, covers };
}

/** The proven license. A proof for a license that does not exist, or for a test key, is invalid. */
export function provenLicense(
  proven: ProvenDevice | ProofFault,
  license: CoveredLicense | undefined,
): { license: CoveredLicense; device: string } | ProofFault {
  if (typeof proven === 'string') return proven;
  return license && !testFieldOf(license).test ? { license, device: proven.device } : 'proof_invalid';
}
