import type { Order } from '../orders/order.ts';
import type { Happening, LicenseChangeCause } from '../seller-events/seller-event.ts';
import { activationIdOf, type Device, type License, statusOf } from './license.ts';

/** Events of a license for the seller's systems; none for a test key. Seats are counted from the license as it was read. */
export function licenseIssued(license: License, upgradedFrom: Order['upgradedFrom'], now: Date): Happening[] {
  const { licenseIssuanceMode, activationLimit } = license;
  return told(license, (ids) => ({
    type: 'license.issued',
    data: { ...ids, status: statusOf(license, now), licenseIssuanceMode, activationLimit, upgradedFrom },
  }));
}

/** Empty if the status is the same before and after. */
export function licenseStatusChange(before: License, after: License, now: Date): Happening[] {
  const [previousStatus, status] = [statusOf(before, now), statusOf(after, now)];
  return previousStatus === status
    ? []
    : told(after, (ids) => ({ type: 'license.status_changed', data: { ...ids, previousStatus, status } }));
}

/** Empty if neither the limit nor the end of updates changed. */
export function licenseTermsChange(before: License, after: License): Happening[] {
  const isSame = after.activationLimit === before.activationLimit && after.updatesUntil === before.updatesUntil;
  return isSame ? [] : licenseChanged(after, 'seller_changed');
}

/** Sent for each addition that starts or stops counting, even if the limit stays at its minimum. */
export function licenseChanged(license: License, cause: LicenseChangeCause): Happening[] {
  const { activationLimit, updatesUntil } = license;
  return told(license, (ids) => ({ type: 'license.changed', data: { ...ids, activationLimit, updatesUntil, cause } }));
}

export function activationCreated(license: License, device: Pick<Device, 'deviceHash'>): Happening[] {
  const { activationCount, activationLimit } = license;
  const seats = { activationCount: Math.min(activationCount + 1, activationLimit), activationLimit };
  return told(license, (ids) => ({ type: 'activation.created', data: { ...ids, activationId: activationIdOf(device), ...seats } }));
}

/** There was no seat left. */
export function activationRefused(license: License): Happening[] {
  const { activationCount, activationLimit } = license;
  return told(license, (ids) => ({
    type: 'activation.refused',
    data: { ...ids, code: 'activation_limit_exceeded', activationCount, activationLimit },
  }));
}

export function activationReleased(license: License, device: Device): Happening[] {
  const { activationCount, activationLimit } = license;
  const seats = { releasedCount: 1, activationCount: Math.max(activationCount - 1, 0), activationLimit };
  return told(license, (ids) => ({ type: 'activation.released', data: { ...ids, activationId: activationIdOf(device), ...seats } }));
}

/** Empty if no device had a seat. */
export function everySeatReleased(license: License): Happening[] {
  const { activationCount: releasedCount, activationLimit } = license;
  if (releasedCount === 0) return [];
  return told(license, (ids) => ({ type: 'activation.released', data: { ...ids, releasedCount, activationCount: 0, activationLimit } }));
}

function told({ id: licenseId, orderId, productId }: License, tell: (ids: SoldIds) => Happening): Happening[] {
  return orderId === undefined ? [] : [tell({ licenseId, orderId, productId })];
}

type SoldIds = Pick<License, 'productId'> & { licenseId: License['id']; orderId: NonNullable<License['orderId']> };
