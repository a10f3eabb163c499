import { createECDH, createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { CompactSign, calculateJwkThumbprint, type JWK } from 'jose';

export interface SigningKey {
  publicJwk: JWK & { kid: string; x: string; y: string };
  privateKey: KeyObject;
}

export type Json = Record<string, unknown>;

/** The order of P-256: signatures and private keys are numbers below it. */
export const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
export const toNumber = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);
export const toBytes = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex');

/** Made from its name, so that the keys of the vectors stay. */
export async function keyOf(name: string): Promise<SigningKey> {
  const d = createHash('sha256').update(`license-service lease vectors, key: ${name}`).digest();
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const jwk = { kty: 'EC', crv: 'P-256', x, y };
  const publicJwk = { ...jwk, kid: await calculateJwkThumbprint(jwk), use: 'sig', alg: 'ES256' };
  return { publicJwk, privateKey: createPrivateKey({ key: { ...jwk, d: d.toString('base64url') }, format: 'jwk' }) };
}

/** Signed by an independent library, where it signs such a thing at all. */
export function joseLease(claims: Json, header: Json, key: SigningKey): Promise<string> {
  const payload = new TextEncoder().encode(JSON.stringify(claims));
  return new CompactSign(payload).setProtectedHeader({ ...header, alg: 'ES256' }).sign(key.privateKey);
}

export const forgeToken = (header: string | Buffer, payload: string | Buffer, key: SigningKey) =>
  forgeTokenParts(encode(header), encode(payload), key);

export function forgeTokenParts(header: string, payload: string, { privateKey }: SigningKey): string {
  const text = `${header}.${payload}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

export const encode = (value: string | Buffer) => Buffer.from(value).toString('base64url');

/** With the padding that base64url of JWS leaves out; spaces make sure that there is some. */
export function padded(text: string): string {
  const encoded = Buffer.from(text).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
  return encoded.endsWith('=') ? encoded : padded(`${text} `);
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');
export const deviceOf = (licenseId: string, fingerprint: string) => sha256(`${licenseId}\0${fingerprint}`);

export function withFlippedBit(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
export const followingSymbol = (symbol: string) => alphabet.charAt(alphabet.indexOf(symbol) + 1);

/** An uncompressed point of P-256 as the PEM that tools write. */
export function pemOf(point: Buffer): string {
  const info = Buffer.concat([Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'), point]);
  return `-----BEGIN PUBLIC KEY-----\n${info.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END PUBLIC KEY-----\n`;
}
