import type { Mutant } from '../mutant.ts';

const rateLimits = ['test/integration/rate-limit.test.ts'];
const addresses = ['test/unit/caller-address.test.ts'];
const schemas = ['test/unit/schemas.test.ts'];
const unknownKeys = ['test/endpoints/unknown-keys.test.ts'];
const health = ['test/endpoints/health.test.ts'];
const codeBatches = ['test/endpoints/code-batches.test.ts'];

/** How much a caller may ask for: lengths, addresses, buckets, unknown keys. */
export const limits: readonly Mutant[] = [
  {
    fault: 'the viewer’s address counts without the origin’s secret',
    file: 'shared/http/caller-address.ts',
    code: 'if (!isFromCdn(event, originSecret)) return sourceIp;',
    mutant: '',
    tests: addresses,
  },
  {
    fault: 'the viewer’s address counts where no secret is set',
    file: 'shared/http/caller-address.ts',
    code: 'if (originSecret === undefined || presented === undefined) return false;',
    mutant: 'if (originSecret === undefined || presented === undefined) return true;',
    tests: addresses,
  },
  {
    fault: 'a viewer chooses the address that counts',
    file: 'shared/http/caller-address.ts',
    code: "viewer === undefined ? client : (address?.[1] ?? address?.[2] ?? '')",
    mutant: "client || (address?.[1] ?? address?.[2] ?? '')",
    tests: addresses,
  },
  {
    fault: 'a character of a random secret with commas passes for the secret',
    file: 'shared/http/caller-address.ts',
    code: 'items.every((item) => item.length >= 16) && ',
    mutant: '',
    tests: addresses,
  },
  {
    fault: 'endpoints answer callers that the CDN did not send',
    file: 'shared/http/create-handler.ts',
    code: 'if (options.originRequired && !isFromCdn(event, options.originSecret)) return notThroughCdn(event, context);',
    mutant: '',
    tests: ['test/endpoints/http/origin.test.ts'],
  },
  {
    fault: 'an IPv4 address in hexadecimal groups is one of IPv6',
    file: 'shared/http/caller-address.ts',
    code: 'sixth === 0xffff',
    mutant: "sixth === 0xffff && address.includes('.')",
    tests: addresses,
  },
  {
    fault: 'every IPv4 address ends in the same two bytes',
    file: 'shared/http/caller-address.ts',
    code: 'low >> 8, low % 256',
    mutant: 'high >> 8, high % 256',
    tests: addresses,
  },
  {
    fault: 'any address that ends in 32 bits is one of IPv4',
    file: 'shared/http/caller-address.ts',
    code: 'groups.slice(0, 5).every((group) => group === 0) && ',
    mutant: '',
    tests: addresses,
  },
  {
    fault: 'each address of IPv6 has limits of its own',
    file: 'shared/http/caller-address.ts',
    code: "prefix(4).join(':'), width: 1",
    mutant: "prefix(8).join(':'), width: 1",
    tests: addresses,
  },
  {
    fault: 'a /48 has the limit of a /64',
    file: 'shared/http/caller-address.ts',
    code: 'width: 16 },',
    mutant: 'width: 1 },',
    tests: [...addresses, ...rateLimits],
  },
  {
    fault: 'a /32 shares the wide limit',
    file: 'shared/http/caller-address.ts',
    code: "prefix(3).join(':')}/48",
    mutant: "prefix(2).join(':')}/48",
    tests: addresses,
  },
  {
    fault: 'a zone makes another address',
    file: 'shared/http/caller-address.ts',
    code: ".replace(/%.*$/, '')",
    mutant: '',
    tests: addresses,
  },
  {
    fault: 'the log tells callers apart by their address alone',
    file: 'shared/http/caller-address.ts',
    code: "createHmac('sha256', key).update(subscriberOf(address))",
    mutant: "createHash('sha256').update(subscriberOf(address))",
    tests: addresses,
  },
  {
    fault: 'the log names each address of a subscriber differently',
    file: 'shared/http/caller-address.ts',
    code: ".update(subscriberOf(address)).digest('base64url').slice(0, 22)",
    mutant: ".update(address).digest('base64url').slice(0, 22)",
    tests: addresses,
  },
  {
    fault: 'one request more than the limit passes',
    file: 'shared/http/rate-limit.ts',
    code: 'if (fullAt > latest) throw',
    mutant: 'if (fullAt > latest + 60_000_000) throw',
    tests: rateLimits,
  },
  {
    fault: 'the last request of a limit is refused',
    file: 'shared/http/rate-limit.ts',
    code: 'latest: now + windowSeconds * microseconds - cost',
    mutant: 'latest: now + windowSeconds * microseconds - 2 * cost',
    tests: rateLimits,
  },
  {
    fault: 'the bucket holds one more than the limit',
    file: 'shared/http/rate-limit.ts',
    code: 'latest: now + windowSeconds * microseconds - cost',
    mutant: 'latest: now + windowSeconds * microseconds',
    tests: rateLimits,
  },
  {
    fault: 'Retry-After is too early',
    file: 'shared/http/rate-limit.ts',
    code: 'Math.ceil(wait / microseconds)',
    mutant: 'Math.floor(wait / microseconds)',
    tests: rateLimits,
  },
  {
    fault: 'Retry-After is in milliseconds',
    file: 'shared/http/rate-limit.ts',
    code: 'Math.ceil(wait / microseconds)',
    mutant: 'Math.ceil(wait / 1000)',
    tests: rateLimits,
  },
  {
    fault: 'a limit that nobody set is none',
    file: 'shared/http/rate-limit.ts',
    code: `if (capacity === undefined) throw new Error(\`The limit \${limit} is not set.\`);
  return capacity;`,
    mutant: 'return capacity ?? 0;',
    tests: rateLimits,
  },
  {
    fault: 'a limit of 0 refuses everybody',
    file: 'shared/http/rate-limit.ts',
    code: 'capacity === 0 ? [] : ',
    mutant: '',
    tests: rateLimits,
  },
  {
    fault: 'the wide bucket is never looked at',
    file: 'shared/http/rate-limit.ts',
    code: 'subscribersOf(caller).map(',
    mutant: 'subscribersOf(caller).slice(0, 1).map(',
    tests: rateLimits,
  },
  {
    fault: 'the wide bucket is spent before the narrow one refuses',
    file: 'shared/http/rate-limit.ts',
    code: 'for (const share of shares) await spendOneOf(share, keyOf(limit, share));',
    mutant: 'for (const share of shares.toReversed()) await spendOneOf(share, keyOf(limit, share));',
    tests: rateLimits,
  },
  {
    fault: 'limits share their buckets',
    file: 'shared/http/rate-limit.ts',
    code: `name: \`\${limit} \${name}\``,
    mutant: 'name',
    tests: rateLimits,
  },
  {
    fault: 'in memory a bucket that was full for long gives more',
    file: 'shared/http/rate-limit.ts',
    code: 'Math.max(bucket.now, lastSeen.get(name)) + bucket.cost',
    mutant: 'lastSeen.get(name) + bucket.cost',
    tests: rateLimits,
  },
  {
    fault: 'in memory nothing is spent',
    file: 'shared/http/rate-limit.ts',
    code: 'lastSeen.set(name, Math.max(bucket.now, lastSeen.get(name)) + bucket.cost, bucket.now);',
    mutant: 'lastSeen.get(name);',
    tests: rateLimits,
  },
  {
    fault: 'a full memory forgets who spent all',
    file: 'shared/http/rate-limit.ts',
    code: `    for (const [caller, fullAt] of fullAtByCaller) if (fullAt < now) fullAtByCaller.delete(caller);
`,
    mutant: '',
    tests: rateLimits,
  },
  {
    fault: 'the memory grows without end',
    file: 'shared/http/rate-limit.ts',
    code: `    if (fullAtByCaller.size >= callersRemembered) fullAtByCaller.clear();
`,
    mutant: '',
    tests: rateLimits,
  },
  {
    fault: 'a bucket of the table never expires',
    file: 'shared/http/rate-limit.ts',
    code: '+ 10 * windowSeconds',
    mutant: '+ 10_000 * windowSeconds',
    tests: rateLimits,
  },
  {
    fault: 'a text that is too long is normalized all the same',
    file: 'shared/schemas.ts',
    code: `{ error: \`Too long: at most \${max} characters\`, abort: true }`,
    mutant: `{ error: \`Too long: at most \${max} characters\` }`,
    tests: schemas,
  },
  {
    fault: 'a text may have twice its length',
    file: 'shared/schemas.ts',
    code: 'value.length > 2 * max || [...value].length > max',
    mutant: 'value.length > 2 * max',
    tests: schemas,
  },
  {
    fault: 'a length is counted in UTF-16 units',
    file: 'shared/schemas.ts',
    code: 'return value.length > 2 * max || [...value].length > max;',
    mutant: 'return true;',
    tests: schemas,
  },
  {
    fault: 'a text of exactly its length is too long',
    file: 'shared/schemas.ts',
    code: 'if (value.length <= max) return false;',
    mutant: `if (value.length < max) return false;
  if (value.length === max) return true;`,
    tests: schemas,
  },
  {
    fault: 'a text of white space is filled',
    file: 'shared/schemas.ts',
    code: "value.trim() !== ''",
    mutant: "value !== ''",
    tests: schemas,
  },
  {
    fault: 'unknown keys have no budget',
    file: 'shared/licenses/runtime-service.ts',
    code: `    await limitUnknownKeys(productId);
`,
    mutant: '',
    tests: unknownKeys,
  },
  {
    fault: 'known keys spend the budget of unknown ones',
    file: 'shared/licenses/runtime-service.ts',
    code: '    return { ...found, at: now() };',
    mutant: `    await limitUnknownKeys(productId);
    return { ...found, at: now() };`,
    tests: unknownKeys,
  },
  {
    fault: 'deactivate is a way around the budget',
    file: 'shared/licenses/runtime-service.ts',
    code: `return answerWithout(found, productId, key);
        if (!license.deactivationAllowed)`,
    mutant: `return withoutLicense('license_not_found', at);
        if (!license.deactivationAllowed)`,
    tests: unknownKeys,
  },
  {
    fault: 'mistyped keys are free',
    file: 'shared/licenses/runtime-service.ts',
    code: `    await limitUnknownKeys(productId);
`,
    mutant: `    if (!isMistypedLicenseKey(key)) await limitUnknownKeys(productId);
`,
    tests: unknownKeys,
  },
  {
    fault: 'all products share one budget',
    file: 'functions/licenses/compose.ts',
    code: "limitUnknownKeys('unknown-keys', productId)",
    mutant: "limitUnknownKeys('unknown-keys', productId.slice(0, 3))",
    tests: unknownKeys,
  },
  {
    fault: 'RATE_LIMIT_UNKNOWN_KEYS changes nothing',
    file: 'functions/licenses/compose.ts',
    code: 'settings.RATE_LIMIT_UNKNOWN_KEYS',
    mutant: '300',
    tests: unknownKeys,
  },
  {
    fault: 'health limits the CDN and not its viewers',
    file: 'functions/health/compose.ts',
    code: `    ...callersBy(settings),
`,
    mutant: '',
    tests: health,
  },
  {
    fault: 'a code is matched before its length is known',
    file: 'shared/code-batches/code-batch.ts',
    code: 'text.length > maxSymbols',
    mutant: 'text.length > 10 * maxSymbols',
    tests: codeBatches,
  },
  {
    fault: 'an upload is read to its end although it was refused',
    file: 'shared/http/read-multipart.ts',
    code: 'at < body.length && !refused;',
    mutant: 'at < body.length;',
    tests: ['test/endpoints/http/worst-texts.test.ts'],
  },
  {
    fault: 'an address has three mails in any hour under each list of keys',
    file: 'functions/mail-sender/send-links.ts',
    code: 'mailings.admitMailing(hashes[0], mailId)',
    mutant: 'mailings.admitMailing(hashes.join(), mailId)',
    tests: ['test/endpoints/purchases/resend-link.test.ts'],
  },
];
