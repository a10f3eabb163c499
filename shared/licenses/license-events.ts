import type { Happening } from '../seller-events/seller-event.ts';
import { activationIdOf, type Device, type License, statusOf } from './license.ts';

/** What happened to a license, as the seller's systems are told of it. Seats are counted from the license as it was read. */
export function licenseIssued(license: License, now: Date): Happening {
  const { licenseIssuanceMode, activationLimit } = license;
  return { type: 'license.issued', data: { ...idsOf(license), status: statusOf(license, now), licenseIssuanceMode, activationLimit } };
}

/** Nothing, where other facts decide the status before and after. */
export function licenseStatusChange(before: License, after: License, now: Date): Happening[] {
  const [previousStatus, status] = [statusOf(before, now), statusOf(after, now)];
  return previousStatus === status ? [] : [{ type: 'license.status_changed', data: { ...idsOf(after), previousStatus, status } }];
}

export function activationCreated(license: License, device: Pick<Device, 'deviceHash'>): Happening {
  const { activationCount, activationLimit } = license;
  const seats = { activationCount: Math.min(activationCount + 1, activationLimit), activationLimit };
  return { type: 'activation.created', data: { ...idsOf(license), activationId: activationIdOf(device), ...seats } };
}

/** There was no seat left. */
export function activationRefused(license: License): Happening {
  const { activationCount, activationLimit } = license;
  return { type: 'activation.refused', data: { ...idsOf(license), code: 'activation_limit_exceeded', activationCount, activationLimit } };
}

export function activationReleased(license: License, device: Device): Happening {
  const { activationCount, activationLimit } = license;
  const seats = { releasedCount: 1, activationCount: Math.max(activationCount - 1, 0), activationLimit };
  return { type: 'activation.released', data: { ...idsOf(license), activationId: activationIdOf(device), ...seats } };
}

/** Nothing, where no device had a seat. */
export function everySeatReleased(license: License): Happening[] {
  const { activationCount: releasedCount, activationLimit } = license;
  if (releasedCount === 0) return [];
  return [{ type: 'activation.released', data: { ...idsOf(license), releasedCount, activationCount: 0, activationLimit } }];
}

const idsOf = ({ id: licenseId, orderId, productId }: License) => ({ licenseId, orderId, productId });
