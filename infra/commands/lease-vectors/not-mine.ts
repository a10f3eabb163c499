import { deviceOf, sha256 } from './forge.ts';
import { claims, fingerprint, good, issuer, licenseId, now, productId, signed } from './subject.ts';
import { of, type Vector } from './vector.ts';

const ofTestKey = await signed({ test: true });

/** What is signed, and for another service, product, device, request or time. */
export const notMine: readonly Vector[] = [
  of('iss-other', 'Of another service.', 'issuer', await signed({ iss: 'https://other.example.com' })),
  of('iss-slash', 'With a slash behind it.', 'issuer', await signed({ iss: `${issuer}/` })),
  of('iss-http', 'Without encryption.', 'issuer', await signed({ iss: issuer.replace('https', 'http') })),
  of('iss-and-aud-other', 'Issuer and product are wrong: the issuer comes first.', 'issuer', await signed({ iss: 'x', aud: 'x' })),
  of('aud-other', 'For another product.', 'product', await signed({ aud: 'prd_01KG9T3W6P9RA5Y8S4C7E1G2JM' })),
  of('aud-lower-case', 'The product in lower case.', 'product', await signed({ aud: productId.toLowerCase() })),
  of('aud-array', 'An array with the product in it.', 'product', await signed({ aud: [productId] })),
  of('aud-array-of-two', 'An array with another product as well.', 'product', await signed({ aud: [productId, 'prd_other'] })),
  of('dev-other', 'For another device.', 'device', await signed({ dev: deviceOf(licenseId, 'another device') })),
  of('dev-other-license', 'The license is another than the one of dev.', 'device', await signed({ sub: 'lic_01KG9T6Z9S2VD81BW7F0H4K5NQ' })),
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
