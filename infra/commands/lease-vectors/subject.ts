import { deviceOf, encode, forgeToken, type Json, joseLease, keyOf } from './forge.ts';

export const issuer = 'https://licenses.example.com';
export const productId = 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JK';
export const licenseId = 'lic_01KG9T6Z9S2VD81BW7F0H4K5NP';
// Not ASCII, so that a client that hashes another encoding than UTF-8 is noticed.
export const fingerprint = 'gerät-5f0c2f4e-8a53-4b0e-9a3d-2f6f1f0d7c11';
export const now = 1_767_225_600;

/** The two that an app pins, and one that it does not. */
export const first = await keyOf('first');
export const second = await keyOf('second');
export const stranger = await keyOf('not pinned');

export const header: Json = { alg: 'ES256', typ: 'license-lease+jwt', kid: first.publicJwk.kid };
export const claims: Json = {
  iss: issuer,
  aud: productId,
  sub: licenseId,
  dev: deviceOf(licenseId, fingerprint),
  iat: now - 3_600,
  exp: now + 14 * 86_400,
  features: ['export', 'batch'],
  activation_limit: 3,
  kind: 'online',
  jti: 'lse_01KG9T8Q2B4D6F8H0K2M4P6R8T',
};
export const claimsText = JSON.stringify(claims);

/** The lease of which every vector is a change: as the service signs it. */
export const good = await joseLease(claims, header, first);
export const [goodHeader = '', goodPayload = '', goodSignature = ''] = good.split('.');
export const signature = Buffer.from(goodSignature, 'base64url');

export const signed = (changes: Json) => joseLease({ ...claims, ...changes }, header, first);
export const withHeader = (changes: Json) => forgeToken(JSON.stringify({ ...header, ...changes }), claimsText, first);
export const withHeaderText = (text: string | Buffer) => forgeToken(text, claimsText, first);
export const withPayload = (text: string | Buffer) => forgeToken(JSON.stringify(header), text, first);
export const withSignature = (bytes: Buffer) => `${goodHeader}.${goodPayload}.${bytes.toString('base64url')}`;
export const claimsPlus = (text: string) => `${claimsText.slice(0, -1)},${text}}`;
export const headerPlus = (text: string) => `${JSON.stringify(header).slice(0, -1)},${text}}`;

/** Well signed, with a member in its header that nobody knows. */
export const unknownMember = withHeaderText(headerPlus('"x":"a"'));

/** A well signed lease of exactly so many characters. */
export function leaseOfLength(length: number): string {
  const base = Buffer.byteLength(claimsPlus('"pad":""'));
  // No number of bytes has one symbol more than a multiple of four: then the header takes a space.
  for (const spaces of ['', ' ', '  ']) {
    const head = `${JSON.stringify(header)}${spaces}`;
    const symbols = length - encode(head).length - goodSignature.length - 2;
    if (symbols % 4 === 1) continue;
    return forgeToken(head, claimsPlus(`"pad":"${'x'.repeat(Math.floor((symbols * 3) / 4) - base)}"`), first);
  }
  throw new Error(`No lease has ${length} characters.`);
}
