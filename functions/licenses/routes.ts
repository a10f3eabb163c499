import { activateLicense } from './activate-license.ts';
import { activateOfflineDevice } from './activate-offline-device.ts';
import { deactivateLicense } from './deactivate-license.ts';
import { getLeaseKeys } from './get-lease-keys.ts';
import { validateLicense } from './validate-license.ts';

export const routes = [validateLicense, activateLicense, deactivateLicense, activateOfflineDevice, getLeaseKeys];
