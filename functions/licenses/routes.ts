import { activateLicense } from './activate-license.ts';
import { deactivateLicense } from './deactivate-license.ts';
import { validateLicense } from './validate-license.ts';

export const routes = [validateLicense, activateLicense, deactivateLicense];
