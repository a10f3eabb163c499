import type { Needs } from '../context.ts';
import type { Order } from '../orders/order.ts';
import { recordEvent } from '../seller-events/event-record-repository.ts';
import type { LicenseChangeCause, NewEvent } from '../seller-events/seller-event.ts';
import { activationIdOf, type Device, type License, statusOf } from './license.ts';

/** Events of a license for the seller's systems; none for a test key. Seats are counted from the license as it was read. */
export function licenseIssuedEvents(license: License, upgradedFrom: Order['upgradedFrom'], now: Date): NewEvent[] {
  const { licenseIssuanceMode, activationLimit } = license;
  return eventOfSale(license, (ids) => ({
    type: 'license.issued',
    data: { ...ids, status: statusOf(license, now), licenseIssuanceMode, activationLimit, upgradedFrom },
  }));
}

/** Empty if the status is the same before and after. */
export function licenseStatusEvents(before: License, after: License, now: Date): NewEvent[] {
  const [previousStatus, status] = [statusOf(before, now), statusOf(after, now)];
  return previousStatus === status
    ? []
    : eventOfSale(after, (ids) => ({ type: 'license.status_changed', data: { ...ids, previousStatus, status } }));
}

/** Empty if neither the limit nor the end of updates changed. */
export function licenseTermsEvents(before: License, after: License): NewEvent[] {
  const isSame = after.activationLimit === before.activationLimit && after.updatesUntil === before.updatesUntil;
  return isSame ? [] : licenseChangedEvents(after, 'seller_changed');
}

/** Sent for each addition that starts or stops counting, even if the limit stays at its minimum. */
export function licenseChangedEvents(license: License, cause: LicenseChangeCause): NewEvent[] {
  const { activationLimit, updatesUntil } = license;
  return eventOfSale(license, (ids) => ({ type: 'license.changed', data: { ...ids, activationLimit, updatesUntil, cause } }));
}

export function activationCreatedEvents(license: License, device: Pick<Device, 'deviceHash'>): NewEvent[] {
  const { activationCount, activationLimit } = license;
  const seats = { activationCount: Math.min(activationCount + 1, activationLimit), activationLimit };
  return eventOfSale(license, (ids) => ({ type: 'activation.created', data: { ...ids, activationId: activationIdOf(device), ...seats } }));
}

/** There was no seat left. */
export function activationRefusedEvents(license: License): NewEvent[] {
  const { activationCount, activationLimit } = license;
  return eventOfSale(license, (ids) => ({
    type: 'activation.refused',
    data: { ...ids, code: 'activation_limit_exceeded', activationCount, activationLimit },
  }));
}

export function seatFreedEvents(license: License, device: Device): NewEvent[] {
  const { activationCount, activationLimit } = license;
  const seats = { releasedCount: 1, activationCount: Math.max(activationCount - 1, 0), activationLimit };
  return eventOfSale(license, (ids) => ({ type: 'activation.released', data: { ...ids, activationId: activationIdOf(device), ...seats } }));
}

/** Empty if no device had a seat. */
export function allSeatsFreedEvents(license: License): NewEvent[] {
  const { activationCount: releasedCount, activationLimit } = license;
  if (releasedCount === 0) return [];
  return eventOfSale(license, (ids) => ({
    type: 'activation.released',
    data: { ...ids, releasedCount, activationCount: 0, activationLimit },
  }));
}

export const recordEvents = (c: Needs<'now'>, { sellerId }: License, happenings: readonly NewEvent[]) =>
  happenings.map((happening) => recordEvent(c, sellerId, happening));

function eventOfSale({ id: licenseId, orderId, productId }: License, eventOf: (ids: SoldIds) => NewEvent): NewEvent[] {
  return orderId === undefined ? [] : [eventOf({ licenseId, orderId, productId })];
}

type SoldIds = Pick<License, 'productId'> & { licenseId: License['id']; orderId: NonNullable<License['orderId']> };
