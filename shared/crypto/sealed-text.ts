import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.ts';

const ivBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM ciphertext of `plain` under the current key, as `version.base64url`.
 * It opens only with the same `context` (the id of the record it belongs to), so
 * that a ciphertext moved to another record is refused.
 */
export function sealText(plain: string, context: string, keys: Keyring): string {
  const { version, secret } = keys.current;
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv('aes-256-gcm', secret, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([iv, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${version}.${sealed.toString('base64url')}`;
}

/** @throws Error when the key was retired, or the text or its context was changed. */
export function openText(sealed: string, context: string, keys: Keyring): string {
  const [version = '', body = ''] = sealed.split('.');
  const key = keys.find(version);
  if (!key) {
    throw new Error(`There is no encryption key of version ${version}.`);
  }
  const bytes = Buffer.from(body, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key.secret, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8');
}
