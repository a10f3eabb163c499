import { createHmac, sign } from 'node:crypto';
import {
  craft,
  craftParts,
  deviceOf,
  encode,
  flipped,
  type Json,
  joseLease,
  keyOf,
  nextSymbol,
  order,
  padded,
  pemOf,
  sha256,
  toBytes,
  toNumber,
} from './craft.ts';

interface Vector {
  name: string;
  about: string;
  verdict: string;
  lease: string;
  /** The nonce that the app expects. */
  nonce?: string | undefined;
  /** Whether the app is built to take test keys. */
  allow_test_keys?: boolean | undefined;
}

/** Leases in the order in which a client finds their faults. */
export async function buildVectors() {
  const issuer = 'https://licenses.example.com';
  const productId = 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JK';
  const licenseId = 'lic_01KG9T6Z9S2VD81BW7F0H4K5NP';
  // Not ASCII, so that a client that hashes another encoding than UTF-8 is noticed.
  const fingerprint = 'gerät-5f0c2f4e-8a53-4b0e-9a3d-2f6f1f0d7c11';
  const now = 1_767_225_600;
  const [first, second, stranger] = [await keyOf('first'), await keyOf('second'), await keyOf('not pinned')];

  const header: Json = { alg: 'ES256', typ: 'license-lease+jwt', kid: first.publicJwk.kid };
  const claims: Json = {
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
  const { alg: _alg, ...noAlg } = header;
  const { typ: _typ, ...noTyp } = header;
  const { kid: _kid, ...noKid } = header;
  const without = (name: string) => Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name));

  const good = await joseLease(claims, header, first);
  const [goodHeader = '', goodPayload = '', goodSignature = ''] = good.split('.');
  const signed = (changes: Json) => joseLease({ ...claims, ...changes }, header, first);
  const withHeader = (changes: Json) => craft(JSON.stringify({ ...header, ...changes }), JSON.stringify(claims), first);
  const withHeaderText = (text: string | Buffer) => craft(text, JSON.stringify(claims), first);
  const withPayload = (text: string | Buffer) => craft(JSON.stringify(header), text, first);
  const withSignature = (signature: Buffer) => `${goodHeader}.${goodPayload}.${signature.toString('base64url')}`;
  const claimsText = JSON.stringify(claims);
  const claimsPlus = (text: string) => `${claimsText.slice(0, -1)},${text}}`;
  const headerPlus = (text: string) => `${JSON.stringify(header).slice(0, -1)},${text}}`;
  const signature = Buffer.from(goodSignature, 'base64url');
  const r = signature.subarray(0, 32);
  const s = signature.subarray(32);
  const zero = Buffer.alloc(32);
  const otherS = toBytes(order - toNumber(s));
  const [lowS, highS] = toNumber(s) > order / 2n ? [otherS, s] : [s, otherS];
  const { x, y } = first.publicJwk;
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const hmac = (secret: Buffer | string) => {
    const text = `${encode(JSON.stringify({ ...header, alg: 'HS256' }))}.${goodPayload}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };
  const standardAlphabet = withPayload(claimsPlus('"note":"ÿÿÿ>>>???"'));
  const flippedPayload = encode(claimsText.replace('export', 'expert'));
  const unknownMember = withHeaderText(headerPlus('"x":"a"'));
  const [, unknownPayload = '', unknownSignature = ''] = unknownMember.split('.');

  const valid: Vector[] = [
    of('good', 'As the service signs it.', 'valid', good),
    of('good-offline', 'Of kind offline, for a year.', 'valid', await signed({ kind: 'offline', exp: now + 366 * 86_400 })),
    of(
      'good-second-key',
      'Signed by the second pinned key.',
      'valid',
      await joseLease(claims, { ...header, kid: second.publicJwk.kid }, second),
    ),
    of('good-low-s', 'Both forms of an ECDSA signature hold: this one with the lower s.', 'valid', withSignature(Buffer.concat([r, lowS]))),
    of('good-high-s', 'The same with the higher s.', 'valid', withSignature(Buffer.concat([r, highS]))),
    of('good-no-features', 'No features.', 'valid', await signed({ features: [] })),
    of('good-late-end', 'Ends after the year 2106, beyond 32 bits.', 'valid', await signed({ exp: 4_300_000_000 })),
    of(
      'good-unknown-claims',
      'Claims that are not known are ignored, nested ones too.',
      'valid',
      await signed({ more: { a: [[[[{ b: null }]]]] } }),
    ),
    of(
      'good-other-letter-case',
      'Names are compared to the letter: this ISS is not iss.',
      'valid',
      withPayload(claimsPlus('"ISS":"https://other.example.com","DEV":"x","Exp":1')),
    ),
    of(
      'good-white-space',
      'White space in the JSON is harmless.',
      'valid',
      withPayload(`\n${JSON.stringify(claims, undefined, 2)}\r\n\t `),
    ),
    of('good-unknown-header', 'A header that is not known is ignored.', 'valid', unknownMember),
    of('good-longest', 'Exactly 65,536 characters.', 'valid', leaseOfLength(65_536)),
    of('nonce-as-expected', 'Has the nonce that the app sent.', 'valid', await signed({ nonce: 'Zm9vYmFy' }), 'Zm9vYmFy'),
    of('nonce-not-expected', 'Has a nonce, and the app sent none.', 'valid', await signed({ nonce: 'Zm9vYmFy' })),
    of('expires-in-a-second', 'One second before its end.', 'valid', await signed({ exp: now + 1 })),
    of('updates-until', 'Says until when updates come.', 'valid', await signed({ updates_until: now + 365 * 86_400 })),
    of(
      'updates-over',
      'Updates came until a year ago: the lease holds all the same.',
      'valid',
      await signed({ updates_until: now - 365 * 86_400 }),
    ),
    of('clock-300-behind', 'Signed 300 seconds ahead of the clock.', 'valid', await signed({ iat: now + 300 })),
  ];

  const malformed: Vector[] = [
    bad('empty', 'No text at all.', ''),
    bad('two-dots', 'Three empty parts.', '..'),
    bad('two-parts', 'Without a signature part.', `${goodHeader}.${goodPayload}`),
    bad('four-parts', 'With a fourth part.', `${good}.${goodSignature}`),
    bad('five-parts', 'The form of an encrypted token.', `${goodHeader}.${goodPayload}.${goodSignature}.${goodPayload}.${goodSignature}`),
    bad('trailing-dot', 'A dot behind the signature.', `${good}.`),
    bad('json-form', 'JWS in its JSON form.', JSON.stringify({ protected: goodHeader, payload: goodPayload, signature: goodSignature })),
    bad('padded-signature', 'Padding behind the signature.', `${good}==`),
    bad('padded-payload', 'Padding behind the payload.', craftParts(encode(JSON.stringify(header)), padded(`${claimsText} `), first)),
    bad('standard-alphabet', 'With + and / for - and _.', standardAlphabet.replaceAll('-', '+').replaceAll('_', '/')),
    bad('space-before', 'A space before the lease.', ` ${good}`),
    bad('newline-behind', 'A line end behind the lease.', `${good}\n`),
    bad(
      'newline-inside',
      'A line end inside the payload.',
      `${goodHeader}.${goodPayload.slice(0, 76)}\n${goodPayload.slice(76)}.${goodSignature}`,
    ),
    bad(
      'space-inside',
      'A space inside the signature.',
      `${goodHeader}.${goodPayload}.${goodSignature.slice(0, 40)} ${goodSignature.slice(40)}`,
    ),
    bad('nul-behind', 'A NUL behind the lease.', `${good}\0`),
    bad('not-ascii', 'A letter that is not ASCII.', `${goodHeader}.${goodPayload}.é${goodSignature.slice(1)}`),
    bad(
      'left-over-bits',
      'The last symbol of the signature has bits that no byte takes.',
      `${good.slice(0, -1)}${nextSymbol(good.slice(-1))}`,
    ),
    bad('one-symbol-short', 'A signature of 85 symbols: no number of bytes has that many.', good.slice(0, -1)),
    bad('longer-than-longest', 'A well signed lease of 65,537 characters.', leaseOfLength(65_537)),
    bad('huge', 'A well signed lease of about 75 KB.', withPayload(claimsPlus(`"pad":"${'x'.repeat(55_000)}"`))),
    bad('payload-text', 'The payload is not JSON.', withPayload('This app is licensed.')),
    bad('payload-empty', 'The payload is empty.', withPayload('')),
    bad('payload-array', 'The payload is an array.', withPayload(`[${claimsText}]`)),
    bad('payload-null', 'The payload is null.', withPayload('null')),
    bad('payload-number', 'The payload is a number.', withPayload('1')),
    bad('payload-string', 'The payload is JSON in a string.', withPayload(JSON.stringify(claimsText))),
    bad('payload-twice', 'Two objects.', withPayload(claimsText + claimsText)),
    bad('payload-trailing-comma', 'A comma before the end.', withPayload(`${claimsText.slice(0, -1)},}`)),
    bad('payload-comment', 'A comment.', withPayload(`${claimsText}/* valid */`)),
    bad('payload-nan', 'NaN is not JSON.', withPayload(claimsPlus('"more":NaN'))),
    bad('payload-leading-zero', 'A number with a leading zero is not JSON.', withPayload(claimsPlus('"more":01'))),
    bad('payload-line-end-in-text', 'A line end inside a string is not JSON.', withPayload(claimsPlus('"more":"\n"'))),
    bad('payload-byte-order-mark', 'A byte order mark before the JSON.', withPayload(`\uFEFF${claimsText}`)),
    bad('payload-utf-16', 'UTF-16.', withPayload(Buffer.from(claimsText, 'utf16le'))),
    bad('payload-not-utf-8', 'A byte that is not UTF-8.', withPayload(Buffer.from(claimsPlus('"more":"\xFF"'), 'latin1'))),
    bad('payload-surrogate', 'A surrogate in UTF-8.', withPayload(Buffer.from(claimsPlus('"more":"\xED\xA0\x80"'), 'latin1'))),
    bad('payload-overlong', 'An overlong form in UTF-8.', withPayload(Buffer.from(claimsPlus('"more":"\xC0\xAF"'), 'latin1'))),
    bad('payload-deep', 'Arrays without end.', withPayload('['.repeat(45_000))),
    bad('payload-deep-closed', 'Nested deep, with a fault behind it.', withPayload(`{"more":${'['.repeat(2_500)}${']'.repeat(2_500)},}`)),
    bad('header-deep', 'A header of objects without end.', withHeaderText('{"a":'.repeat(9_000))),
    bad('header-array', 'The header is an array.', withHeaderText(`[${JSON.stringify(header)}]`)),
    bad('header-text', 'The header is not JSON.', withHeaderText('ES256')),
    bad('header-byte-order-mark', 'A byte order mark before the header.', withHeaderText(`\uFEFF${JSON.stringify(header)}`)),
    bad('header-not-utf-8', 'A byte that is not UTF-8 in the header.', withHeaderText(Buffer.from(headerPlus('"x":"\xFF"'), 'latin1'))),
    bad('two-aud-first-right', 'A claim twice, the last one wrong.', withPayload(claimsPlus('"aud":"prd_other"'))),
    bad('two-aud-last-right', 'A claim twice, the first one wrong.', withPayload(`{"aud":"prd_other",${claimsText.slice(1)}`)),
    bad('two-aud-escaped', 'A claim twice, once with an escaped letter.', withPayload(claimsPlus(`"\\u0061ud":"${productId}"`))),
    bad('two-exp-equal', 'A claim twice with the same value.', withPayload(claimsPlus(`"exp":${claims['exp']}`))),
    bad('two-unknown', 'A claim that is not known, twice.', withPayload(claimsPlus('"more":1,"more":2'))),
    bad('two-alg', 'alg twice, the last one right.', withHeaderText(`{"alg":"none",${JSON.stringify(header).slice(1)}`)),
    bad('two-kid', 'kid twice, the first one right.', withHeaderText(headerPlus(`"kid":"${stranger.publicJwk.kid}"`))),
    bad('two-alg-escaped', 'alg twice, once with an escaped letter.', withHeaderText(headerPlus('"al\\u0067":"ES256"'))),
    bad('no-iss', 'Without iss.', withPayload(JSON.stringify(without('iss')))),
    bad('no-aud', 'Without aud.', withPayload(JSON.stringify(without('aud')))),
    bad('no-sub', 'Without sub.', withPayload(JSON.stringify(without('sub')))),
    bad('no-dev', 'Without dev.', withPayload(JSON.stringify(without('dev')))),
    bad('no-iat', 'Without iat.', withPayload(JSON.stringify(without('iat')))),
    bad('no-exp', 'Without exp.', withPayload(JSON.stringify(without('exp')))),
    bad('no-features', 'Without features.', withPayload(JSON.stringify(without('features')))),
    bad('no-claims', 'An empty object.', withPayload('{}')),
    bad('iss-other-letter-case', 'Iss is not iss.', withPayload(claimsText.replace('"iss"', '"Iss"'))),
    bad('dev-other-letter-case', 'DEV is not dev.', withPayload(claimsText.replace('"dev"', '"DEV"'))),
    bad('iss-array', 'iss is an array.', withPayload(JSON.stringify({ ...claims, iss: [issuer] }))),
    bad('aud-number', 'aud is a number.', withPayload(JSON.stringify({ ...claims, aud: 1 }))),
    bad('sub-number', 'sub is a number.', withPayload(JSON.stringify({ ...claims, sub: 1 }))),
    bad('dev-null', 'dev is null.', withPayload(JSON.stringify({ ...claims, dev: null }))),
    bad('exp-text', 'exp is a text.', withPayload(JSON.stringify({ ...claims, exp: String(claims['exp']) }))),
    bad('exp-fraction', 'exp is no whole number.', withPayload(JSON.stringify({ ...claims, exp: now + 1_000.5 }))),
    bad('exp-true', 'exp is true.', withPayload(JSON.stringify({ ...claims, exp: true }))),
    bad('exp-null', 'exp is null.', withPayload(JSON.stringify({ ...claims, exp: null }))),
    bad('iat-text', 'iat is a text.', withPayload(JSON.stringify({ ...claims, iat: String(claims['iat']) }))),
    bad('iat-fraction', 'iat is no whole number.', withPayload(JSON.stringify({ ...claims, iat: now - 0.5 }))),
    ...[`"${now}"`, `${now}.5`, 'null', 'true', '[1]'].map((end, index) =>
      bad(`updates-until-${index + 1}`, `updates_until is ${end}.`, withPayload(claimsPlus(`"updates_until":${end}`))),
    ),
    bad('features-text', 'features is a text.', withPayload(JSON.stringify({ ...claims, features: 'export' }))),
    bad('features-object', 'features is an object.', withPayload(JSON.stringify({ ...claims, features: {} }))),
    bad('features-numbers', 'features holds a number.', withPayload(JSON.stringify({ ...claims, features: ['export', 1] }))),
  ];

  const forged: Vector[] = [
    of('alg-none', 'No signature, and says so.', 'alg', `${encode(JSON.stringify({ ...header, alg: 'none' }))}.${goodPayload}.`),
    of('alg-none-capital', 'The same as None.', 'alg', `${encode(JSON.stringify({ ...header, alg: 'None' }))}.${goodPayload}.`),
    of('alg-none-signed', 'Says none, and has a signature.', 'alg', withHeader({ alg: 'none' })),
    of('alg-missing', 'Without alg.', 'alg', withHeaderText(JSON.stringify(noAlg))),
    of('alg-null', 'alg is null.', 'alg', withHeader({ alg: null })),
    of('alg-array', 'alg is an array.', 'alg', withHeader({ alg: ['ES256'] })),
    of('alg-lower-case', 'es256 is not ES256.', 'alg', withHeader({ alg: 'es256' })),
    of(
      'alg-other-letter-case',
      'ALG is not alg.',
      'alg',
      withHeaderText(headerPlus('"ALG":"ES256"').replace('"alg":"ES256"', '"alg":"none"')),
    ),
    of('alg-es384', 'Another curve.', 'alg', withHeader({ alg: 'ES384' })),
    of('alg-rs256', 'RSA.', 'alg', withHeader({ alg: 'RS256' })),
    of('alg-eddsa', 'EdDSA.', 'alg', withHeader({ alg: 'EdDSA' })),
    of('hs256-public-pem', 'HMAC with the public key in PEM as the secret.', 'alg', hmac(pemOf(point))),
    of('hs256-public-point', 'HMAC with the point of the public key as the secret.', 'alg', hmac(point)),
    of('typ-jwt', 'An ordinary JWT.', 'typ', withHeader({ typ: 'JWT' })),
    of('typ-missing', 'Without typ.', 'typ', withHeaderText(JSON.stringify(noTyp))),
    of('typ-other-letter-case', 'typ is compared to the letter.', 'typ', withHeader({ typ: 'License-Lease+JWT' })),
    of('typ-media-type', 'With application/ before it.', 'typ', withHeader({ typ: 'application/license-lease+jwt' })),
    of(
      'header-jwk',
      'Brings its own key, and is signed by it.',
      'header',
      craft(JSON.stringify({ ...header, jwk: stranger.publicJwk }), claimsText, stranger),
    ),
    of('header-jwk-pinned', 'Brings a key that is pinned.', 'header', withHeader({ jwk: first.publicJwk })),
    of('header-jwk-null', 'jwk is null.', 'header', withHeader({ jwk: null })),
    of('header-jku', 'Names an address of keys.', 'header', withHeader({ jku: 'https://other.example.com/jwks.json' })),
    of('header-x5u', 'Names an address of certificates.', 'header', withHeader({ x5u: 'https://other.example.com/key.pem' })),
    of('header-x5c', 'Brings certificates.', 'header', withHeader({ x5c: ['MIIB'] })),
    of('header-crit', 'Demands a rule.', 'header', withHeader({ crit: ['exp'] })),
    of('header-crit-empty', 'Demands no rule.', 'header', withHeader({ crit: [] })),
    of(
      'kid-unknown',
      'Names a key that is not pinned.',
      'kid',
      await joseLease(claims, { ...header, kid: stranger.publicJwk.kid }, stranger),
    ),
    of('kid-missing', 'Names no key.', 'kid', withHeaderText(JSON.stringify(noKid))),
    of('kid-empty', 'kid is empty.', 'kid', withHeader({ kid: '' })),
    of('kid-number', 'kid is a number.', 'kid', withHeader({ kid: 0 })),
    of('kid-array', 'kid is an array.', 'kid', withHeader({ kid: [first.publicJwk.kid] })),
    of('kid-prefix', 'kid is the beginning of one.', 'kid', withHeader({ kid: first.publicJwk.kid.slice(0, -1) })),
    of(
      'key-not-pinned',
      'Signed by a key that is not pinned, under the name of one that is.',
      'signature',
      await joseLease(claims, header, stranger),
    ),
    of('key-of-other-kid', 'Signed by the second key under the name of the first.', 'signature', await joseLease(claims, header, second)),
    of(
      'flipped-in-header',
      'One letter of the header changed.',
      'signature',
      `${encode(headerPlus('"x":"b"'))}.${unknownPayload}.${unknownSignature}`,
    ),
    of('flipped-in-payload', 'One letter of the payload changed.', 'signature', `${goodHeader}.${flippedPayload}.${goodSignature}`),
    of('flipped-in-r', 'One bit of r changed.', 'signature', withSignature(flipped(signature, 5))),
    of('flipped-in-s', 'One bit of s changed.', 'signature', withSignature(flipped(signature, 60))),
    of('signature-empty', 'An empty signature.', 'signature', withSignature(Buffer.alloc(0))),
    of('signature-63-bytes', 'One byte short.', 'signature', withSignature(signature.subarray(0, 63))),
    of('signature-65-bytes', 'One byte more.', 'signature', withSignature(Buffer.concat([signature, Buffer.alloc(1)]))),
    of('signature-zero-before', 'A zero byte before it.', 'signature', withSignature(Buffer.concat([Buffer.alloc(1), signature]))),
    of('signature-twice', 'Twice the signature.', 'signature', withSignature(Buffer.concat([signature, signature]))),
    of(
      'signature-der',
      'In DER.',
      'signature',
      `${goodHeader}.${goodPayload}.${sign('sha256', Buffer.from(`${goodHeader}.${goodPayload}`), first.privateKey).toString('base64url')}`,
    ),
    of('signature-zeros', 'r and s are 0.', 'signature', withSignature(Buffer.concat([zero, zero]))),
    of('signature-r-zero', 'r is 0.', 'signature', withSignature(Buffer.concat([zero, s]))),
    of('signature-s-zero', 's is 0.', 'signature', withSignature(Buffer.concat([r, zero]))),
    of('signature-r-order', 'r is the order of the curve.', 'signature', withSignature(Buffer.concat([toBytes(order), s]))),
    of('signature-s-order', 's is the order of the curve.', 'signature', withSignature(Buffer.concat([r, toBytes(order)]))),
    of('signature-s-r', 'r and s swapped.', 'signature', withSignature(Buffer.concat([s, r]))),
    of('signature-of-other', 'The signature of another lease.', 'signature', `${goodHeader}.${goodPayload}.${unknownSignature}`),
    of('unsigned-claims', 'No signature, and wrong claims: the signature comes first.', 'signature', `${goodHeader}.${encode('{}')}.`),
  ];

  const ofTestKey = await signed({ test: true });
  const notMine: Vector[] = [
    of('iss-other', 'Of another service.', 'issuer', await signed({ iss: 'https://other.example.com' })),
    of('iss-slash', 'With a slash behind it.', 'issuer', await signed({ iss: `${issuer}/` })),
    of('iss-http', 'Without encryption.', 'issuer', await signed({ iss: issuer.replace('https', 'http') })),
    of('iss-and-aud-other', 'Issuer and product are wrong: the issuer comes first.', 'issuer', await signed({ iss: 'x', aud: 'x' })),
    of('aud-other', 'For another product.', 'product', await signed({ aud: 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JM' })),
    of('aud-lower-case', 'The product in lower case.', 'product', await signed({ aud: productId.toLowerCase() })),
    of('aud-array', 'An array with the product in it.', 'product', await signed({ aud: [productId] })),
    of('aud-array-of-two', 'An array with another product as well.', 'product', await signed({ aud: [productId, 'prd_other'] })),
    of('dev-other', 'For another device.', 'device', await signed({ dev: deviceOf(licenseId, 'another device') })),
    of(
      'dev-other-license',
      'The license is another than the one of dev.',
      'device',
      await signed({ sub: 'lic_01KG9T6Z9S2VD81BW7F0H4K5NQ' }),
    ),
    of('dev-padded', 'dev with padding.', 'device', await signed({ dev: `${claims['dev']}=` })),
    of('dev-no-zero-byte', 'dev without the zero byte between.', 'device', await signed({ dev: sha256(`${licenseId}${fingerprint}`) })),
    of('dev-fingerprint', 'dev is the fingerprint itself.', 'device', await signed({ dev: fingerprint })),
    of('nonce-missing', 'Without the nonce that the app sent.', 'nonce', good, 'Zm9vYmFy'),
    of('nonce-other', 'With another nonce.', 'nonce', await signed({ nonce: 'Zm9vYmFz' }), 'Zm9vYmFy'),
    of('nonce-lower-case', 'The nonce in lower case.', 'nonce', await signed({ nonce: 'zm9vymfy' }), 'Zm9vYmFy'),
    of('nonce-array', 'The nonce in an array.', 'nonce', await signed({ nonce: ['Zm9vYmFy'] }), 'Zm9vYmFy'),
    of('nonce-and-expired', 'Nonce wrong and expired: the nonce comes first.', 'nonce', await signed({ exp: now - 1 }), 'Zm9vYmFy'),
    of('test-key', 'Of a test key.', 'test', ofTestKey),
    { ...of('test-key-allowed', 'Of a test key, in an app that is built to take them.', 'valid', ofTestKey), allow_test_keys: true },
    of('test-false', 'Says that it is of no test key.', 'valid', await signed({ test: false })),
    of('test-key-and-nonce', 'Of a test key, with another nonce: the nonce comes first.', 'nonce', ofTestKey, 'Zm9vYmFy'),
    of('test-key-and-expired', 'Of a test key, and expired: the test key comes first.', 'test', await signed({ test: true, exp: now - 1 })),
    of('expired-a-second-ago', 'One second past its end.', 'expired', await signed({ exp: now - 1 })),
    of('expired-now', 'At its end.', 'expired', await signed({ exp: now })),
    of('expired-long-ago', 'Ended in 1970.', 'expired', await signed({ iat: 0, exp: 0 })),
    of(
      'expired-and-future',
      'Ended, and signed in the future: the end comes first.',
      'expired',
      await signed({ iat: now + 1_000, exp: now }),
    ),
    of('clock-301-behind', 'Signed 301 seconds ahead of the clock.', 'clock', await signed({ iat: now + 301 })),
    of('clock-a-year-behind', 'Signed a year ahead of the clock.', 'clock', await signed({ iat: now + 31_536_000, exp: now + 32_000_000 })),
  ];

  /** A well signed lease of exactly so many characters. */
  function leaseOfLength(length: number): string {
    const base = Buffer.byteLength(claimsPlus('"pad":""'));
    // No number of bytes has one symbol more than a multiple of four: then the header takes a space.
    for (const spaces of ['', ' ', '  ']) {
      const head = `${JSON.stringify(header)}${spaces}`;
      const symbols = length - encode(head).length - goodSignature.length - 2;
      if (symbols % 4 === 1) continue;
      return craft(head, claimsPlus(`"pad":"${'x'.repeat(Math.floor((symbols * 3) / 4) - base)}"`), first);
    }
    throw new Error(`No lease has ${length} characters.`);
  }

  return {
    about:
      'Leases and the verdict of verifyLease on each, for clients in every language. The keys were made for these vectors alone, and their private parts are public: never pin them.',
    issuer,
    product_id: productId,
    device_fingerprint: fingerprint,
    now,
    keys: [first.publicJwk, second.publicJwk],
    vectors: [...valid, ...malformed, ...forged, ...notMine],
  };
}

function of(name: string, about: string, verdict: string, lease: string, nonce?: string): Vector {
  return { name, about, lease, nonce, verdict };
}

const bad = (name: string, about: string, lease: string) => of(name, about, 'malformed', lease);
