import { activateLicenseRoute } from './activate-license.ts';
import { activateOfflineDeviceRoute } from './activate-offline-device.ts';
import { deactivateLicenseRoute } from './deactivate-license.ts';
import { getLeaseKeysRoute } from './get-lease-keys.ts';
import { validateLicenseRoute } from './validate-license.ts';

export const routes = [validateLicenseRoute, activateLicenseRoute, deactivateLicenseRoute, activateOfflineDeviceRoute, getLeaseKeysRoute];
