/** What admins, and sellers of their own sales, do with licenses. */

import * as z from 'zod/mini';
import type { Actor } from '../audit/actor.ts';
import { type AuditEntry, recordAudit } from '../audit/audit-repository.ts';
import type { Needs } from '../context.ts';
import { lockConflict, retryOptimisticLock } from '../db/optimistic-lock.ts';
import type { PageRequest } from '../db/sharded-list.ts';
import type { Table, Write } from '../db/table.ts';
import { type LicenseFacts, withSellerTerms } from '../entitlements/license-facts.ts';
import { findFacts, recordFacts } from '../entitlements/license-facts-repository.ts';
import { AppError } from '../errors.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import type { ActivationId, LicenseId } from '../ids.ts';
import { getOrder } from '../orders/order-repository.ts';
import { activationLimit } from '../products/fields.ts';
import { lines, requestTime } from '../schemas.ts';
import { extendedUpdatesUntil } from './coverage.ts';
import { entitlementsOf, initialFacts } from './entitled-license.ts';
import { Activation, IssuedLicense, isActive, type License, statusOf, toActivation, toIssuedLicense } from './license.ts';
import { licenseStatusEvents, licenseTermsEvents, recordEvents, seatFreedEvents } from './license-events.ts';
import { freeSeat, getDevice, getLicense, listDevices, recordLicenseChange, recordRevocation } from './license-repository.ts';
import { freeTestKeyPlace } from './test-keys/test-key-repository.ts';

/** Why a license is suspended. */
export const SuspendLicenseRequest = z.object({ reason: z.optional(lines(500)) });

export type SuspendLicenseRequest = z.infer<typeof SuspendLicenseRequest>;

export const RevokeLicenseRequest = z.object({ reason: z.optional(lines(500)) });

export type RevokeLicenseRequest = z.infer<typeof RevokeLicenseRequest>;

/** What sellers may set of a license they sold. */
export const ChangeLicenseRequest = z
  .object({ activationLimit: z.optional(activationLimit), updatesUntil: z.optional(requestTime({ offset: false })) })
  .check(
    z.refine(
      ({ activationLimit, updatesUntil }) => activationLimit !== undefined || updatesUntil !== undefined,
      fault(rules.nothingToChange),
    ),
  )
  .register(z.globalRegistry, { minProperties: 1 });
type ChangeLicenseRequest = z.infer<typeof ChangeLicenseRequest>;

/** A license with a page of its activations; `nextCursor` leads to more of these. */
export const LicenseWithActivations = z.extend(IssuedLicense, {
  activations: z.array(Activation),
  nextCursor: z.optional(z.string()),
});
export type LicenseWithActivations = z.infer<typeof LicenseWithActivations>;

type ChangeNeeds = Needs<'table' | 'now'>;

const events = (c: ChangeNeeds, before: License, after: License, at: Date) =>
  recordEvents(c, before, [...licenseStatusEvents(before, after, at), ...licenseTermsEvents(before, after)]);

/** The facts of a license that was sold, as they were recorded or as they are to be. */
async function factsOf(table: Table, license: License): Promise<LicenseFacts | undefined> {
  if (license.orderId === undefined) return undefined;
  return (await findFacts(table, license.id)) ?? initialFacts(license, await getOrder(table, license.orderId));
}

/** Applies the change that `decide` returns; the license is unchanged if it returns none. */
const change = (
  c: ChangeNeeds,
  actor: Actor,
  licenseId: LicenseId,
  decide: (license: License, at: Date) => LicenseChange | undefined | Promise<LicenseChange | undefined>,
) =>
  retryOptimisticLock(async (): Promise<IssuedLicense> => {
    const license = await getLicense(c.table, licenseId);
    const writeConditions = actor.writeConditions();
    const at = c.now();
    const decided = await decide(license, at);
    if (!decided) return toIssuedLicense(license, at);
    const { next, records, writes = [] } = decided;
    await c.table.transactOnce([
      ...writeConditions,
      recordLicenseChange(license, next),
      ...writes,
      ...records.map((record) => recordAudit(c, { actor: actor.name, targetId: licenseId, ...record })),
      ...events(c, license, { ...license, ...next }, at),
    ]);
    return toIssuedLicense({ ...license, ...next }, at);
  });

/**
 * Suspends the license; its devices keep their seats. Idempotent.
 *
 * @throws AppError license_not_found, what keeps the actor from it
 */
export const suspendLicense = (c: ChangeNeeds, actor: Actor, licenseId: LicenseId, { reason }: SuspendLicenseRequest = {}) =>
  change(c, actor, licenseId, (license, at) => {
    if (license.suspendedAt !== undefined) return undefined;
    const next = { suspendedAt: at.toISOString() };
    return { next, records: [{ action: 'license.suspend', ...suspensions(license, next, at), note: reason || undefined }] };
  });

/**
 * Lifts the suspension. Idempotent.
 *
 * @throws AppError license_not_found, what keeps the actor from it
 */
export const reinstateLicense = (c: ChangeNeeds, actor: Actor, licenseId: LicenseId) =>
  change(c, actor, licenseId, (license, at) => {
    if (license.suspendedAt === undefined) return undefined;
    const next = { suspendedAt: undefined };
    return { next, records: [{ action: 'license.reinstate', ...suspensions(license, next, at) }] };
  });

/**
 * Changes how many devices may be active, and until when updates come: by how much the limit differs from what was paid
 * for, and a date from which on the end is not earlier. What is paid for or given back later moves both. Devices that
 * have their seats keep them, also beyond a lower limit. Requesting the present values changes nothing.
 *
 * @throws AppError license_not_found, invalid_request as `extendedUpdatesUntil`, what keeps the actor from it
 */
export const changeLicenseTerms = (c: ChangeNeeds, actor: Actor, licenseId: LicenseId, requested: ChangeLicenseRequest) =>
  change(c, actor, licenseId, async (license, at) => {
    const { activationLimit: limit, updatesUntil: end } = license;
    const newUpdatesUntil = requested.updatesUntil === undefined ? undefined : extendedUpdatesUntil(license, requested.updatesUntil);
    const read = await factsOf(c.table, license);
    if (!read) throw new AppError('license_not_found');
    const set = withSellerTerms(read, { activationLimit: requested.activationLimit, updatesUntil: newUpdatesUntil }, at.toISOString());
    const { activationLimit, updatesUntil } = entitlementsOf(set);
    // Of a change between the two reads only the later one tells.
    if (set === read && (limit !== activationLimit || end !== updatesUntil)) throw lockConflict();
    if (set === read) return undefined;
    const records: LicenseChange['records'] = [];
    // Also where it comes out as it was: what is given back later takes less from it.
    if (set.limitDifference !== read.limitDifference)
      records.push({ action: 'license.change_limit', before: { activationLimit: limit }, after: { activationLimit } });
    if (end !== undefined && updatesUntil !== undefined && set.extensions !== read.extensions)
      records.push({ action: 'license.extend_updates', before: { updatesUntil: end }, after: { updatesUntil } });
    return { next: { activationLimit, updatesUntil }, records, writes: [recordFacts(read, set)] };
  });

/** @throws AppError license_not_found */
export async function getIssuedLicense(c: ChangeNeeds, licenseId: LicenseId, page: PageRequest): Promise<LicenseWithActivations> {
  const license = await getLicense(c.table, licenseId);
  const { items, nextCursor } = await listDevices(c.table, license, page);
  return { ...toIssuedLicense(license, c.now()), activations: items.map(toActivation), nextCursor };
}

/**
 * Revokes the license for good; `processed` is false when it was revoked before. `actor` is a user id: an admin's, or that of
 * whoever minted the test key.
 *
 * @throws AppError license_not_found
 */
export const revokeLicense = (
  c: ChangeNeeds,
  actor: string,
  licenseId: LicenseId,
  { reason }: RevokeLicenseRequest = {},
): Promise<{ processed: boolean; license: IssuedLicense }> =>
  retryOptimisticLock(async () => {
    const license = await getLicense(c.table, licenseId);
    const at = c.now();
    if (license.revokedAt) return { processed: false, license: toIssuedLicense(license, at) };

    const revocation = { revokedAt: at.toISOString(), revokedBy: actor, revokedReason: reason || undefined };
    const revoked: License = { ...license, ...revocation };
    await c.table.transactOnce([
      recordRevocation(license, revocation),
      ...freeTestKeyPlace(license),
      recordAudit(c, {
        actor,
        action: 'license.revoke',
        targetId: licenseId,
        before: { status: statusOf(license, at) },
        after: { status: statusOf(revoked, at) },
        note: revocation.revokedReason,
      }),
      ...events(c, license, revoked, at),
    ]);
    return { processed: true, license: toIssuedLicense(revoked, at) };
  });

/**
 * Frees the seat of a device, also where the terms forbid deactivation. Freeing a seat that is already free changes
 * nothing.
 *
 * @throws AppError license_not_found, activation_not_found, what keeps the actor from it
 */
export const freeActivationSeat = (c: ChangeNeeds, actor: Actor, licenseId: LicenseId, activationId: ActivationId) =>
  retryOptimisticLock(async () => {
    const license = await getLicense(c.table, licenseId);
    const device = await getDevice(c.table, license, activationId);
    const writeConditions = actor.writeConditions();
    const at = c.now();
    if (!isActive(device)) {
      // The license was read before the seat was seen to be free.
      return toIssuedLicense(await getLicense(c.table, licenseId), at);
    }

    await c.table.transactOnce([
      ...writeConditions,
      ...freeSeat(license, device, at),
      recordAudit(c, {
        actor: actor.name,
        action: 'license.release_activation',
        targetId: licenseId,
        before: { activationId, active: true },
        after: { activationId, active: false },
      }),
      ...recordEvents(c, license, seatFreedEvents(license, device)),
    ]);
    return toIssuedLicense({ ...license, activationCount: Math.max(license.activationCount - 1, 0) }, at);
  });

/** What is written of a license, and how it is recorded. */
interface LicenseChange {
  next: Parameters<typeof recordLicenseChange>[1];
  records: Pick<AuditEntry, 'action' | 'before' | 'after' | 'note'>[];
  /** What is written with it. */
  writes?: readonly Write[];
}

/** A suspension may change no status: what the license was revoked or held for comes first. */
function suspensions(license: License, next: Pick<License, 'suspendedAt'>, at: Date) {
  const factsOf = (facts: License) => ({ status: statusOf(facts, at), suspended: facts.suspendedAt !== undefined });
  return { before: factsOf(license), after: factsOf({ ...license, ...next }) };
}
