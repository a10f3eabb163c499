import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Needs } from '../context.ts';
import { findItem } from '../db/find-items.ts';
import { type Key, listKey, type QueueKey, queueKey, sellerKey, sellerOfAccountKey, sellerOfUserKey } from '../db/keys.ts';
import { lockConflict, updateUnchanged } from '../db/optimistic-lock.ts';
import { filteredPage, listAcrossShards, type Page, type PageRequest, parsePage } from '../db/sharded-list.ts';
import { type Item, ifAbsent, type Table, type Write } from '../db/table.ts';
import { AppError, requireFound } from '../errors.ts';
import { idOf, isId, type SellerId } from '../ids.ts';
import {
  type AccountRequest,
  approvedStatuses,
  type InternalReviewStatus,
  ineligibleStatuses,
  isApproved,
  reapplicableStatuses,
  SellerRecord,
  sellerWaitingSince,
} from './seller.ts';
import type { CreateSellerRequest, UpdateSellerRequest } from './seller-requests.ts';

/** What of the payment account is shown. */
const shownNames = [
  'paymentConnectedAccountId',
  'paymentOnboardingStatus',
  'paymentChargesEnabled',
  'paymentPayoutsEnabled',
  'paymentRequirementsDue',
  'paymentDisabledReason',
] as const;
/** What the onboarding status is derived from besides the account, and since when the owner is waited for. */
const progressNames = ['onboardingLinkIssuedAt', 'onboardingReturnedAt', 'chargesEnabledBefore', 'paymentDueSince'] as const;
const paymentNames = [...shownNames, 'paymentAccount', ...progressNames] as const;

/** The payment fields of a seller, as they are after one change. */
export type PaymentFields = Pick<SellerRecord, (typeof paymentNames)[number]>;

const entriesOf = <Name extends string>(fields: { [Field in Name]?: unknown }, names: readonly Name[]) =>
  names.map((name): [string, unknown] => [name, fields[name]]);

/** The result of a retrieval that began later is stored already. */
export class StaleRetrievalError extends Error {}

/** What leads from a user or an account to the seller. */
const SellerPointer = z.object({ sellerId: idOf('seller') });

/** Both as conditions, with their values. */
const ineligible = Object.fromEntries(ineligibleStatuses.map((status) => [`:${status}`, status]));
const approved = Object.fromEntries(approvedStatuses.map((status) => [`:${status}`, status]));
const ifApproved = `internalReviewStatus IN (${Object.keys(approved).join(', ')})`;
const ifEligible = `NOT internalReviewStatus IN (${Object.keys(ineligible).join(', ')})`;

const sellerIs = (sellerId: SellerId, ConditionExpression: string, ExpressionAttributeValues: Record<string, string>): Write => ({
  check: { Key: sellerKey(sellerId), ConditionExpression, ExpressionAttributeValues },
  onConditionFailed: () => new AppError('seller_not_eligible'),
});

/** The seller's place in the queue of what waits for an admin. */
export function sellerQueueKey(seller: SellerRecord): QueueKey | undefined {
  const since = sellerWaitingSince(seller);
  return since === undefined ? undefined : queueKey('seller', since, seller.id);
}

const itemOf = (seller: SellerRecord) => ({
  ...sellerKey(seller.id),
  ...listKey('sellers', seller.createdAt, seller.id),
  ...sellerQueueKey(seller),
  ...seller,
});

export const findSeller = async (table: Table, sellerId: SellerId): Promise<SellerRecord | undefined> =>
  isId('seller', sellerId) ? findItem(table, sellerKey(sellerId), SellerRecord) : undefined;

async function findByPointer(table: Table, key: Key): Promise<SellerRecord | undefined> {
  const pointer = await findItem(table, key, SellerPointer);
  return pointer && findSeller(table, pointer.sellerId);
}

export const findSellerOfUser = (table: Table, userId: string) => findByPointer(table, sellerOfUserKey(userId));

/** Those of the sellers that exist, by id: 100 a request. */
export async function findSellers(table: Table, sellerIds: ReadonlySet<SellerId>): Promise<Map<SellerId, SellerRecord>> {
  const items = await table.batchGet([...sellerIds].map(sellerKey));
  return new Map(items.map((item) => SellerRecord.parse(item)).map((seller) => [seller.id, seller]));
}

/** @throws AppError seller_not_found */
export const getSeller = (table: Table, sellerId: SellerId) => requireFound(findSeller(table, sellerId), 'seller_not_found');

/** @throws AppError seller_not_found */
export const getSellerOfUser = (table: Table, userId: string) => requireFound(findSellerOfUser(table, userId), 'seller_not_found');

export const findSellerOfAccount = (table: Table, accountId: string) => findByPointer(table, sellerOfAccountKey(accountId));

/** Oldest first. With a filter, a page may be short and still have a next one. */
export async function listSellers(
  table: Table,
  request: PageRequest & { internalReviewStatus?: InternalReviewStatus | undefined },
): Promise<Page<SellerRecord>> {
  const { internalReviewStatus: wantedStatus, ...page } = request;
  const isWanted = (seller: SellerRecord) => wantedStatus === undefined || seller.internalReviewStatus === wantedStatus;
  return filteredPage(page, isWanted, async (next) =>
    parsePage(await listAcrossShards(table, 'sellers', { ...next, newestFirst: false }), SellerRecord),
  );
}

/** A new seller. The user has one already → OptimisticLockError: of two at the same moment, one is made. */
export function addSeller(seller: SellerRecord): Write[] {
  return [
    {
      put: { Item: { ...sellerOfUserKey(seller.ownerUserId), sellerId: seller.id }, ...ifAbsent },
      onConditionFailed: lockConflict,
    },
    { put: { Item: itemOf(seller), ...ifAbsent } },
  ];
}

/**
 * The application of an existing seller, handed in again while in state `from`.
 * Closed to applications by now → seller_application_closed; open, but in another state → OptimisticLockError.
 */
export function updateApplication(
  c: Needs<'now'>,
  sellerId: SellerId,
  from: InternalReviewStatus,
  application: CreateSellerRequest,
  ownerEmail: string | undefined,
): Write {
  // An application that is already waiting keeps its place; older ones have no time.
  const isNew = from !== 'pending_review';
  const appliedAt = isNew ? ':now, queuePk = :queuePk, queueSk = :queueSk' : 'if_not_exists(appliedAt, updatedAt)';
  const at = c.now().toISOString();
  const { queuePk, queueSk } = queueKey('seller', at, sellerId);
  const { invoiceRegistrationNumber: number } = application;
  return {
    update: {
      Key: sellerKey(sellerId),
      UpdateExpression: `SET displayName = :displayName, contactEmail = :contactEmail, supportEmail = :supportEmail, siteUrl = :siteUrl, internalReviewStatus = :pending, appliedAt = ${appliedAt}, updatedAt = :now${number ? ', invoiceRegistrationNumber = :number' : ''} REMOVE reviewNote${number === '' ? ', invoiceRegistrationNumber' : ''} ADD revision :one${ownerEmail === undefined ? '' : ', ownerEmails :ownerEmails'}`,
      ConditionExpression: 'internalReviewStatus = :from',
      ExpressionAttributeValues: {
        ':displayName': application.displayName,
        ':contactEmail': application.contactEmail,
        ':supportEmail': application.supportEmail,
        ':siteUrl': application.siteUrl,
        ...(number && { ':number': number }),
        ':pending': 'pending_review',
        ':from': from,
        ':now': at,
        ':one': 1,
        ...(isNew && { ':queuePk': queuePk, ':queueSk': queueSk }),
        ...(ownerEmail !== undefined && { ':ownerEmails': new Set([ownerEmail]) }),
      },
    },
    onConditionFailed: (old) => (statusIn(old, reapplicableStatuses) ? lockConflict() : new AppError('seller_application_closed')),
  };
}

/**
 * Where exactly the seller that was read is reached from now on, and the number of its invoices; its application keeps
 * its date. Changed since → OptimisticLockError.
 */
export function updateContacts(seller: SellerRecord, request: UpdateSellerRequest): { next: SellerRecord; write: Write } {
  const contacts = {
    contactEmail: request.contactEmail ?? seller.contactEmail,
    supportEmail: request.supportEmail ?? seller.supportEmail,
    invoiceRegistrationNumber: (request.invoiceRegistrationNumber ?? seller.invoiceRegistrationNumber) || undefined,
  };
  const next = { ...seller, ...contacts, revision: seller.revision + 1 };
  const filled = Object.entries({ ...contacts, revision: next.revision }).filter(([, value]) => value !== undefined);
  const removed = contacts.invoiceRegistrationNumber === undefined ? ' REMOVE invoiceRegistrationNumber' : '';
  return {
    next,
    write: updateUnchanged(sellerKey(seller.id), seller, {
      UpdateExpression: `SET ${filled.map(([name]) => `${name} = :${name}`).join(', ')}${removed}`,
      ExpressionAttributeValues: Object.fromEntries(filled.map(([name, value]) => [`:${name}`, value])),
    }),
  };
}

/** What a review makes of exactly the seller that was read, which waits no more. A changed one → OptimisticLockError. */
export function recordReview(
  c: Needs<'now'>,
  seller: SellerRecord,
  review: { status: InternalReviewStatus; note?: string | undefined },
): Write {
  const moved = review.status !== seller.internalReviewStatus;
  const leavesApproved = moved && isApproved(seller);
  const isFirstNote = review.status === 'draft' && review.note !== undefined && seller.reviewNote === undefined;
  const returned = isFirstNote || (moved && (review.status === 'draft' || review.status === 'rejected'));
  return updateUnchanged(sellerKey(seller.id), seller, {
    UpdateExpression: `SET internalReviewStatus = :status${leavesApproved ? ', approvedBefore = :yes' : ''}${review.note ? ', reviewNote = :note' : ''}${returned ? ', returnedAt = :now' : ''}${moved ? ', updatedAt = :now, revision = :next' : ''} REMOVE queuePk, queueSk`,
    ExpressionAttributeValues: {
      ':status': review.status,
      ...(leavesApproved && { ':yes': true }),
      ...(review.note && { ':note': review.note }),
      ...((moved || returned) && { ':now': c.now().toISOString() }),
      ...(moved && { ':next': seller.revision + 1 }),
    },
  });
}

/**
 * Counts one more product of a seller that may have it, fewer until an admin approved the seller; part of the
 * transaction that creates it. Otherwise seller_required, seller_not_eligible or too_many_products.
 */
export function countProduct(sellerId: SellerId, { most, mostUnapproved }: { most: number; mostUnapproved: number }): Write {
  return {
    update: {
      Key: sellerKey(sellerId),
      UpdateExpression: 'ADD productCount :one',
      ConditionExpression: `(productCount < :mostUnapproved OR (productCount < :most AND (approvedBefore = :yes OR ${ifApproved}))) AND ${ifEligible}`,
      ExpressionAttributeValues: {
        ':one': 1,
        ':most': most,
        ':mostUnapproved': mostUnapproved,
        ':yes': true,
        ...approved,
        ...ineligible,
      },
    },
    onConditionFailed(old) {
      if (statusIn(old, ineligibleStatuses)) return new AppError('seller_not_eligible');
      if (!old) return new AppError('seller_required');
      const waits = Number(old['productCount']) < most;
      return new AppError('too_many_products', waits ? `At most ${mostUnapproved} products until the seller is approved.` : undefined);
    },
  };
}

/** Holds while the seller may change its products and files; else seller_not_eligible. */
export const checkSellerEligible = (sellerId: SellerId): Write => sellerIs(sellerId, ifEligible, ineligible);

/** Holds while the seller is approved; else seller_not_eligible. */
export const checkSellerApproved = (sellerId: SellerId): Write => sellerIs(sellerId, ifApproved, approved);

/** The right to make an onboarding link, of the caller who knows the token `by`. */
interface OnboardingLease {
  until: string;
  by: string;
}

/**
 * Takes the right to make an onboarding link, and stores what the account is opened with. Held by another caller →
 * ConditionFailedError.
 */
export function leaseOnboardingLink(c: Needs<'now'>, sellerId: SellerId, { until, by }: OnboardingLease, request: AccountRequest): Write {
  return {
    update: {
      Key: sellerKey(sellerId),
      UpdateExpression:
        'SET onboardingLinkLeasedUntil = :until, onboardingLinkLeasedBy = :by, accountRequest = if_not_exists(accountRequest, :request)',
      ConditionExpression: 'attribute_not_exists(onboardingLinkLeasedUntil) OR onboardingLinkLeasedUntil <= :now',
      ExpressionAttributeValues: { ':until': until, ':by': by, ':request': request, ':now': c.now().toISOString() },
    },
  };
}

/** Gives the right back; with `forgetRequest`, the next attempt opens the account with what the seller's details are by then. */
export function endOnboardingLease(sellerId: SellerId, { by }: OnboardingLease, { forgetRequest }: { forgetRequest: boolean }): Write {
  return {
    update: {
      Key: sellerKey(sellerId),
      UpdateExpression: `REMOVE onboardingLinkLeasedUntil, onboardingLinkLeasedBy${forgetRequest ? ', accountRequest' : ''}`,
      ConditionExpression: 'onboardingLinkLeasedBy = :by',
      ExpressionAttributeValues: { ':by': by },
    },
  };
}

/** Numbers a retrieval of the connected account; the item it returns holds the number as `paymentRetrievalsBegun`. */
export function beginRetrieval(sellerId: SellerId): Write {
  return {
    update: {
      Key: sellerKey(sellerId),
      UpdateExpression: 'ADD paymentRetrievalsBegun :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': 1 },
    },
    onConditionFailed: () => new AppError('seller_not_found'),
  };
}

/** Leads from the account to its seller. */
export function linkAccount(sellerId: SellerId, accountId: string): Write {
  return {
    put: {
      Item: { ...sellerOfAccountKey(accountId), sellerId },
      ConditionExpression: 'attribute_not_exists(pk) OR sellerId = :sellerId',
      ExpressionAttributeValues: { ':sellerId': sellerId },
    },
  };
}

/**
 * Writes the payment fields, as decided on `seller` as it was read. What they were derived
 * from changed since → OptimisticLockError. With `retrieval`, they come from the retrieval of
 * that number; one that began later is stored already → StaleRetrievalError.
 */
export function updatePayment(seller: SellerRecord, fields: PaymentFields, retrieval?: number): Write {
  const stored: [string, unknown][] = retrieval === undefined ? [] : [['paymentRetrievalStored', retrieval]];
  const seen = entriesOf(seller, ['paymentOnboardingStatus', ...progressNames, 'paymentRetrievalStored']);
  const isLatest = 'attribute_not_exists(paymentRetrievalStored) OR paymentRetrievalStored < :paymentRetrievalStored';
  return {
    update: {
      Key: sellerKey(seller.id),
      ...changeOfSeen([...entriesOf(fields, paymentNames), ...stored], seen, {
        alsoHolds: retrieval === undefined ? undefined : isLatest,
        counted: !isDeepStrictEqual(entriesOf(seller, shownNames), entriesOf(fields, shownNames)),
      }),
    },
    onConditionFailed(old) {
      const newest = old?.['paymentRetrievalStored'];
      const overtaken = retrieval !== undefined && typeof newest === 'number' && newest >= retrieval;
      return overtaken ? new StaleRetrievalError() : lockConflict();
    },
  };
}

/**
 * Sets what has a value and removes what has none, on the condition that every `seen` attribute is as it was read;
 * `counted` as a change of the seller, whatever else changed it meanwhile.
 */
function changeOfSeen(
  set: [string, unknown][],
  seen: [string, unknown][],
  { alsoHolds, counted }: { alsoHolds: string | undefined; counted: boolean },
) {
  const filled = set.filter(([, value]) => value !== undefined);
  const removed = set.filter(([, value]) => value === undefined).map(([name]) => name);
  const unchanged = seen.map(([name, value]) => (value === undefined ? `attribute_not_exists(${name})` : `${name} = :seen_${name}`));
  return {
    UpdateExpression: `SET ${filled.map(([name]) => `${name} = :${name}`).join(', ')}${removed.length > 0 ? ` REMOVE ${removed.join(', ')}` : ''}${counted ? ' ADD revision :one' : ''}`,
    ConditionExpression: [...unchanged, ...(alsoHolds ? [`(${alsoHolds})`] : [])].join(' AND '),
    ExpressionAttributeValues: Object.fromEntries([
      ...filled.map(([name, value]) => [`:${name}`, value]),
      ...(counted ? [[':one', 1]] : []),
      ...seen.filter(([, value]) => value !== undefined).map(([name, value]) => [`:seen_${name}`, value]),
    ]),
  };
}

const statusIn = (old: Item | undefined, statuses: readonly InternalReviewStatus[]) =>
  statuses.some((status) => status === old?.['internalReviewStatus']);
