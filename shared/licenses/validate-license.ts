import { isActive } from './license.ts';
import { deviceHashOf } from './license-lookup.ts';
import { answerUnknownKey, findByKey, type RuntimeNeeds, withProofs } from './runtime-call.ts';
import { describeLicense, type LicenseRuntimeRequest, type LicenseRuntimeResponse, unusableCode } from './runtime-license.ts';

/**
 * Whether the license may be used now, and whether the device, where one is named, has a seat. Changes nothing.
 *
 * @throws AppError rate_limited when too many unknown keys of the product were asked for, and this is one more.
 */
export async function validateLicense(c: RuntimeNeeds, request: LicenseRuntimeRequest): Promise<LicenseRuntimeResponse> {
  const { productId, licenseKey, deviceFingerprint } = request;
  const found = await findByKey(c, productId, licenseKey, (key) =>
    deviceFingerprint === undefined ? undefined : deviceHashOf(deviceFingerprint, key),
  );
  const { license, device, at } = found;
  if (!license) return answerUnknownKey(c, found, productId, licenseKey);
  const deviceActivated = deviceFingerprint === undefined ? undefined : isActive(device);
  const answer = describeLicense(license, at, unusableCode(license, at) ?? 'valid', deviceActivated);
  return withProofs(c, answer, license, request, 'online', at);
}
