import type { Mutant } from '../../mutant.ts';

const leases = ['test/endpoints/leases/leases.test.ts'];
const offline = ['test/endpoints/leases/offline-activations.test.ts'];
const terms = ['test/endpoints/leases/lease-terms.test.ts'];
const settings = ['test/unit/config.test.ts'];
const rules = ['test/endpoints/http/rules.test.ts'];
const heads = ['test/endpoints/http/head.test.ts'];
const template = ['test/infra/service.test.ts'];
const rotation = ['test/integration/licenses/lease-rotation.test.ts'];
const gateway = ['test/local/api-gateway.test.ts'];
const dataDirectory = ['test/local/data-directory.test.ts'];

type Mistake = [fault: string, code: string, mutant: string, tests?: readonly string[]];
const inFile = (file: string, usual: readonly string[], mistakes: readonly Mistake[]): Mutant[] =>
  mistakes.map(([fault, code, mutant, tests = usual]) => ({ fault, file, code, mutant, tests }));

/** What leases say and when they are given, their keys, devices without network, and HEAD. */
export const leaseRules: readonly Mutant[] = [
  ...inFile('shared/leases/lease.ts', leases, [
    ['a nonce has 129 characters', '{1,128}$/', '{1,129}$/'],
    ['a nonce only holds what it should', '/^[\\w-]{1,128}$/', '/[\\w-]{1,128}/'],
    ['a day of a lease has twelve hours', '24 * 3600', '12 * 3600'],
    ['a lease is any JWT', "typ: 'license-lease+jwt'", "typ: 'JWT'"],
    ['a lease does not name its key', ', kid: current.publicKey.kid }', ' }'],
    ['a lease does not name who gave it', '      iss: issuer,\n', ''],
    [
      'a lease is for the license, of the product',
      'aud: license.productId,\n      sub: license.id,',
      'aud: license.id,\n      sub: license.productId,',
    ],
    ['the device of a lease is joined without a separator', '{licenseId}\\0', '{licenseId}'],
    ['the device of a lease is known in whatever license', '{licenseId}\\0', '{""}\\0'],
    ['the device of a lease is known by a trimmed fingerprint', 'deviceFingerprint}`', 'deviceFingerprint.trim()}`'],
    ['a lease lasts longer than its license', 'license.expiresAt === undefined ? ends : Math.min(', 'true ? ends : Math.min('],
    ['a lease lasts as long as its license', 'Math.min(ends,', 'Math.max(ends,'],
    ['a lease ends within the second after its license', 'Math.floor(milliseconds / 1000)', 'Math.ceil(milliseconds / 1000)'],
    ['a lease has no features', '      features: license.features,\n', ''],
    ['a lease has another number of seats', 'activation_limit: license.activationLimit', 'activation_limit: license.features.length'],
    ['every lease is of kind online', '      kind,\n', "      kind: 'online',\n", offline],
    ['all leases of a license have one id', 'jti: randomUUID()', 'jti: license.id'],
    ['a lease leaves out the nonce', '      nonce,\n', ''],
    ['a lease has the signature that most libraries do not take', ", dsaEncoding: 'ieee-p1363'", ''],
    ['the signature leaves the claims out', 'Buffer.from(signed)', 'Buffer.from(header)'],
  ]),
  ...inFile('shared/leases/lease-keys.ts', settings, [
    ['what is no keyring is no fault of a setting', 'if (!Keyring.isWellFormed(text)) return undefined;', ''],
    ['a lease key that is none is left out', '=== all.length;', '=== keys.length;'],
    ['one lease key is there under two versions', 'return current && isEachUnlike ?', 'return current && keys.length === all.length ?'],
    ['the last lease key signs', 'const [current] = keys;', 'const current = keys.at(-1);', leases],
    ['the keys are published backwards', 'published: keys.map(', 'published: keys.toReversed().map(', leases],
    [
      'only the key that signs is published',
      'published: keys.map(({ publicKey }) => publicKey)',
      'published: [current.publicKey]',
      rotation,
    ],
    [
      'a key is named by a hash that others do not find',
      'JSON.stringify({ crv, kty, x, y })',
      'JSON.stringify({ kty, crv, x, y })',
      leases,
    ],
    ['a key is named in hexadecimal', "digest('base64url')", "digest('hex')", leases],
  ]),
  ...inFile('shared/leases/offline-terms.ts', terms, [
    ['what was sold before there were leases gets none', 'offlineDays: 14,', 'offlineDays: 0,'],
    ['what was sold before there were leases has files', 'offlineFileDays: 0 }', 'offlineFileDays: 30 }'],
  ]),
  ...inFile('shared/leases/request-code.ts', offline, [
    ['white space counts in a request code', 'symbols.length > maxSymbols', 'code.length > maxSymbols'],
    ['a request code of 4,000 characters is too long', 'symbols.length > maxSymbols', 'symbols.length >= maxSymbols'],
    ['a request code has 4,001 characters', 'maxSymbols = 4000', 'maxSymbols = 4001'],
    ['a request code is one without its prefix', ' || !symbols.startsWith(prefix)', ''],
    ['a request code in lower case is one', 'symbols.startsWith(prefix)', 'symbols.toUpperCase().startsWith(prefix)'],
    ['a request code in another spelling is one', "bytes.toString('base64url') === base64url ? bytes : undefined", 'bytes'],
    ['bytes that are no text become some', 'fatal: true', 'fatal: false'],
    ['only ASCII white space means nothing', '/[\\s\\p{White_Space}\\p{Cf}]+/gu', '/[ \\t\\r\\n]+/g'],
    ['a request code with zero-width spaces is refused', '\\p{White_Space}\\p{Cf}', ''],
    ['the product of a request code has any length', 'p: filledText(64)', 'p: filledText(640)'],
    ['the product of a request code has any text', 'p: filledText(64).check(wellFormed)', 'p: filledText(64)'],
    ['the device of a request code has any text', 'd: filledText(512).check(wellFormed)', 'd: filledText(512)'],
    ['the device of a request code is blank', 'd: filledText(512)', 'd: text(512)'],
    ['the device of a request code is too long', 'd: filledText(512)', 'd: filledText(513)'],
    ['the label of a request code has any text', 'text(100).check(wellFormed)', 'text(100)'],
    ['the label of a request code is too long', 'text(100).check(wellFormed)', 'text(101).check(wellFormed)'],
    ['half of a surrogate pair is text', "!value.includes('\\0') && value.isWellFormed()", "!value.includes('\\0')"],
    ['NUL is text', "!value.includes('\\0') && value.isWellFormed()", 'value.isWellFormed()'],
    ['the nonce of a request code has any form', 'n: z.optional(leaseNonce)', 'n: z.optional(z.string())'],
    ['the label of a request code is lost', ' deviceLabel: data.l,', ''],
    ['the nonce of a request code is lost', ', nonce: data.n }', ' }'],
  ]),
  ...inFile('shared/licenses/runtime-license.ts', offline, [
    ['a request code with much white space is refused', 'text(200_000)', 'text(4000)'],
    ['the lease does not leave', '  lease: z.optional(z.string()),\n', ''],
  ]),
  ...inFile(
    'shared/licenses/runtime-service.ts',
    [...leases, ...offline],
    [
      [
        'a lease lasts as long as the other kind',
        "kind === 'online' ? license.offlineDays : license.offlineFileDays",
        "kind === 'offline' ? license.offlineDays : license.offlineFileDays",
      ],
      ['a license that cannot be used gives a lease', 'if (!answer.valid || ', 'if ('],
      ['a device without a seat gets a lease', '|| !answer.deviceActivated ||', '||'],
      ['a lease of no days is given', ' || days === 0) return answer;', ') return answer;'],
      [
        'a device with a seat gets no lease from activate',
        "return withLease(describeLicense(license, at, 'already_activated', true), license, request, kind, at);",
        "return describeLicense(license, at, 'already_activated', true);",
      ],
      [
        'the first activation gives no lease',
        "return withLease(describeLicense({ ...license, activationCount }, at, 'activated', true), license, request, kind, at);",
        "return describeLicense({ ...license, activationCount }, at, 'activated', true);",
      ],
      [
        'validate gives a lease for a device without network',
        "withLease(answer, license, request, 'online', at)",
        "withLease(answer, license, request, 'offline', at)",
      ],
      ['activate wants what is for devices without network', "activate(request, 'online')", "activate(request, 'offline')"],
      ['a device without network gets a lease for one that asks', "...requestCode }, 'offline')", "...requestCode }, 'online')"],
      [
        'every activation must be offered without network',
        "kind === 'offline' && license.offlineFileDays === 0",
        'license.offlineFileDays === 0',
      ],
      [
        'a device without network activates where that is not offered',
        "if (kind === 'offline' && license.offlineFileDays === 0) throw new AppError('offline_not_offered');",
        '',
      ],
      [
        'terms for devices that ask decide about those that cannot',
        "kind === 'offline' && license.offlineFileDays === 0",
        "kind === 'offline' && license.offlineDays === 0",
      ],
      [
        'a device that has a seat is answered before whether leases by file are offered',
        "kind === 'offline' && license.offlineFileDays === 0",
        "kind === 'offline' && license.offlineFileDays === 0 && !isActive(device)",
      ],
      [
        'whether leases by file are offered is answered before why a license cannot be used',
        'const obstacle = obstacleOf(license, at);',
        "if (kind === 'offline' && license.offlineFileDays === 0) throw new AppError('offline_not_offered');\n      const obstacle = obstacleOf(license, at);",
      ],
    ],
  ),
  ...inFile('functions/licenses/get-lease-keys.ts', leases, [
    ['caches keep the public keys a day', 'cacheSeconds: 3600', 'cacheSeconds: 86_400'],
    ['no cache keeps the public keys', '  cacheSeconds: 3600,\n', ''],
  ]),
  ...inFile('functions/licenses/activate-offline-device.ts', offline, [
    ['request codes are tried without a limit', "  rateLimit: 'offline',\n", ''],
    ['request codes are tried within the limit of downloads', "rateLimit: 'offline'", "rateLimit: 'download'"],
  ]),
  ...inFile(
    'functions/licenses/compose.ts',
    [...leases, ...offline],
    [
      [
        'request codes are limited as unknown keys are',
        'offline: settings.RATE_LIMIT_OFFLINE',
        'offline: settings.RATE_LIMIT_UNKNOWN_KEYS',
      ],
      ['keys are published late', 'settings.LEASE_KEYS.published }', 'settings.LEASE_KEYS.published.slice(0, 1) }'],
    ],
  ),
  ...inFile('shared/errors.ts', offline, [
    ['what is not offered is a malformed request', 'offline_not_offered: { status: 403', 'offline_not_offered: { status: 400'],
  ]),
  ...inFile('shared/http/cors.ts', leases, [['pages of others cannot read the public keys', '|\\.well-known\\/jwks\\.json$', '']]),
  ...inFile('shared/http/endpoint.ts', rules, [
    ['POST endpoints answer HEAD', "method === 'GET' && audience === 'anyone' &&", "audience === 'anyone' &&"],
    ['HEAD tells whether what is private is there', "method === 'GET' && audience === 'anyone' &&", "method === 'GET' &&"],
    ['what caches keep has no HEAD', '(cacheSeconds !== undefined || success', '(success'],
    ['pages and files have no HEAD', ' || success.contentType !== undefined)', ')'],
    ['all that anyone reads has HEAD', ' && (cacheSeconds !== undefined || success.contentType !== undefined)', ''],
  ]),
  ...inFile('shared/http/create-handler.ts', rules, [
    [
      'HEAD is answered with a body',
      "startsWith('HEAD ') ? { ...reply, body: '', isBase64Encoded: false } : reply",
      "startsWith('HEAD ') ? reply : reply",
    ],
    ['HEAD of what has none is answered as GET', 'options.routes.filter(answersHead).map(', 'options.routes.map('],
    [
      'an unknown path has a body for HEAD',
      "event.routeKey.startsWith('HEAD ')",
      "event.routeKey.startsWith('HEAD ') && reply.statusCode !== 404",
    ],
  ]),
  ...inFile('shared/http/create-handler.ts', heads, [
    [
      'a page is made for HEAD of what has lost its body',
      'present(event, await answer(event, context))',
      "present(event, event.routeKey.startsWith('HEAD ') ? { ...(await answer(event, context)), body: '' } : await answer(event, context))",
    ],
  ]),
  ...inFile('infra/bundles/find-functions.ts', template, [
    ['the gateway has no HEAD', 'routes: [...routes, ...heads] };', 'routes };'],
    ['the gateway has HEAD on every path', 'routes.filter(answersHead).map(', 'routes.map('],
  ]),
  ...inFile('infra/local/gateway/api-gateway.ts', gateway, [['HEAD says that there is nothing', " && response.req.method !== 'HEAD'", '']]),
  ...inFile('shared/orders/checkout-service.ts', terms, [
    ['the terms for devices that ask are those for files', 'offlineDays: product.offlineDays', 'offlineDays: product.offlineFileDays'],
    ['files that were offered are not sold', '        offlineFileDays: product.offlineFileDays,\n', '        offlineFileDays: 0,\n'],
  ]),
  ...inFile('functions/event-projector/issue-license.ts', terms, [
    ['a license does not get the days of its order', '      offlineDays,\n', '      offlineDays: 14,\n'],
    ['a license does not get the days for files of its order', '      offlineFileDays,\n', '      offlineFileDays: 0,\n'],
  ]),
  ...inFile('infra/local/local-settings.ts', dataDirectory, [['a stack of earlier data has no lease key', "'LEASE_KEYS', ", '']]),
  ...inFile('shared/config.ts', rotation, [['an ARN is taken for lease keys', "  'LEASE_KEYS',\n", '']]),
];
