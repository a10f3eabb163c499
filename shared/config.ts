import * as z from 'zod/mini';
import { Keyring } from './crypto/keyring.ts';
import { defaultCurrencies, findCurrency } from './currencies.ts';
import { parseLeaseKeys } from './leases/lease-keys.ts';

const text = z.string().check(z.minLength(1));
const list = z.pipe(
  z.string(),
  z.transform((value: string) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ),
);
const filledList = list.check(z.minLength(1));
const listOf = (isFit: (item: string) => boolean) => list.check(z.refine((items) => items.every(isFit)));
const count = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/)),
  z.transform((value: string) => Number(value)),
);
const isHttpUrl = (value: string) => /^https?:$/.test(URL.parse(value)?.protocol ?? '');
const httpUrl = z.pipe(
  z.string().check(z.refine(isHttpUrl)),
  z.transform((value: string) => value.replace(/\/+$/, '')),
);
/** As it is shown; not empty, and short enough for every place it appears in. */
const shownText = z.string().check(z.trim(), z.minLength(1), z.maxLength(500));
const pageUrl = z.string().check(z.maxLength(2048), z.refine(isHttpUrl));
/** Requests a minute. */
const rate = count.check(z.maximum(1_000_000));
const keyring = z.pipe(
  z.string().check(z.refine((value) => Keyring.isWellFormed(value))),
  z.transform((value: string) => Keyring.parse(value)),
);
const leaseKeys = z.pipe(
  z.string(),
  z.transform((value: string, { issues }) => {
    const keys = parseLeaseKeys(value);
    if (keys) return keys;
    issues.push({ code: 'custom', input: value });
    return z.NEVER;
  }),
);
/** Signing secrets of webhooks; an empty or short one would let anyone sign. */
const webhookSecrets = listOf((secret) => /^whsec_[\w\-+/=]{12,}$/.test(secret)).check(z.minLength(1));
/** Restricted keys are refused where accounts are opened and read. */
const testModeKey = z.string().check(z.regex(/^sk_test_\w+$/));

/**
 * Every setting of the service: how its text is read, and its default.
 *
 * A function names the settings it uses in its `declaration.ts`; the infrastructure gives
 * it those and no others.
 */
const settings = {
  STAGE: z.enum(['local', 'staging', 'production']),
  AUTH_MODE: z.enum(['local', 'oidc']),
  ADMIN_ALLOWLIST: listOf((entry) => /^(sub:\S+|[^\s@]+@[^\s@]+)$/.test(entry)),
  OIDC_ISSUER: z.optional(z.string().check(z.refine(isHttpUrl))),
  OIDC_AUDIENCE: z.optional(filledList),
  OIDC_KEYS_SECONDS: z._default(count.check(z.minimum(1), z.maximum(86_400)), 600),
  CONSOLE_ORIGINS: z._default(
    listOf((origin) => isHttpUrl(origin) && new URL(origin).origin === origin),
    [],
  ),
  /** The client id with which the console signs in at the identity provider; without it there is no console. */
  CONSOLE_CLIENT_ID: z.optional(text),
  /** Which of the provider's tokens the console sends: Cognito's access tokens have no e-mail address. */
  CONSOLE_TOKEN: z._default(z.enum(['access', 'id']), 'access'),
  PUBLIC_BASE_URL: httpUrl,
  CURRENCIES: z._default(
    z.pipe(
      listOf((code) => findCurrency(code) !== undefined).check(z.minLength(1)),
      z.transform((items: string[]) => items.map((item) => item.toUpperCase())),
    ),
    defaultCurrencies,
  ),
  PLATFORM_FEE_BPS: z._default(count.check(z.maximum(10_000)), 1000),
  PAYMENT_SECRET_KEY: testModeKey,
  PAYMENT_API_BASE: z.optional(httpUrl),
  PAYMENT_ACCOUNT_COUNTRY: z._default(z.string().check(z.regex(/^[A-Z]{2}$/)), 'JP'),
  PAYMENT_WEBHOOK_SECRET: webhookSecrets,
  PAYMENT_CONNECT_WEBHOOK_SECRET: webhookSecrets,
  LICENSE_PEPPERS: keyring,
  ENCRYPTION_KEYS: keyring,
  TOKEN_KEYS: keyring,
  LEASE_KEYS: leaseKeys,
  SERVICE_NAME: z.optional(shownText.check(z.maxLength(100))),
  OPERATOR_NAME: z.optional(shownText.check(z.maxLength(200))),
  /** With which the operator issues invoices in the sellers' place. */
  OPERATOR_INVOICE_NUMBER: z.optional(z.string().check(z.regex(/^T[0-9]{13}$/))),
  OPERATOR_ADDRESS: z.optional(shownText),
  OPERATOR_CONTACT: z.optional(shownText),
  TERMS_URL: z.optional(pageUrl),
  PRIVACY_URL: z.optional(pageUrl),
  /** How many devices a buyer may release in any 30 days and license. */
  BUYER_MOVES: z._default(count.check(z.maximum(1_000)), 5),
  MAIL_FROM: z.string().check(z.regex(/^[^\s@]+@[^\s@]+$/)),
  /** The SES configuration set that mails are sent with. */
  MAIL_CONFIGURATION_SET: text,
  TRUSTED_SCANNERS: z._default(list, ['clamav', 'guardduty']),
  CLAMD_URL: z.optional(z.string().check(z.regex(/^(tcp:\/\/[^\s/]+:\d+|unix:\/\S+)$/))),
  /** The GuardDuty malware protection plan of the bucket; where there is none, GuardDuty does not scan. */
  MALWARE_PLAN_ARN: z.optional(z.string().check(z.regex(/^arn:[\w-]+:guardduty:[\w-]+:\d{12}:malware-protection-plan\/\S+$/))),
  MAX_FILE_BYTES: z._default(count.check(z.minimum(1), z.maximum(5 * 1024 ** 3)), 5 * 1024 ** 3),
  /** Hours after a file has become useless until its bytes are deleted. */
  DISCARD_AFTER_HOURS: z._default(count.check(z.maximum(8760)), 24),
  /** Within how many hours an admin is to decide on what waits. */
  REVIEW_DUE_HOURS: z._default(count.check(z.minimum(1), z.maximum(8760)), 72),
  SELLER_STORAGE_BYTES: z._default(count.check(z.minimum(1)), 50 * 1024 ** 3),
  RATE_LIMIT_CHECKOUT: z._default(rate, 10),
  RATE_LIMIT_COMPLETE: z._default(rate, 30),
  RATE_LIMIT_DOWNLOAD: z._default(rate, 30),
  RATE_LIMIT_EMAIL_REQUESTS: z._default(rate, 30),
  RATE_LIMIT_ENDPOINT_CALLS: z._default(rate, 10),
  RATE_LIMIT_HEALTH: z._default(rate, 120),
  RATE_LIMIT_OFFLINE: z._default(rate, 10),
  RATE_LIMIT_QUOTE: z._default(rate, 30),
  RATE_LIMIT_ROTATIONS: z._default(rate, 10),
  RATE_LIMIT_SEARCH: z._default(rate, 30),
  /** Writes of an approved seller; of others a sixth. */
  RATE_LIMIT_SELLER: z._default(rate, 60),
  RATE_LIMIT_UNKNOWN_KEYS: z._default(rate, 300),
  RATE_LIMIT_UPDATES: z._default(rate, 60),
  /** An hour; of each license, beside four for each of its seats. */
  RATE_LIMIT_UPDATE_DOWNLOAD: z._default(rate, 60),
  ORIGIN_SECRET: z.optional(text),
  ORIGIN_REQUIRED: z.optional(z.literal('true')),
  CALLER_HASH_KEY: z.string().check(z.minLength(16)),
  /** How long an updater may begin to download after it was led to a file. */
  UPDATE_URL_SECONDS: z._default(count.check(z.minimum(1), z.maximum(604_800)), 900),
  /** How long a function keeps its secrets until it reads them again. */
  SECRETS_SECONDS: z._default(count.check(z.minimum(1), z.maximum(3600)), 300),
  /** The secrets that must be set before the service can work, by their ARNs. */
  SECRETS_TO_SET: z._default(list, []),
  TABLE_NAME: text,
  BUCKET_NAME: z.optional(text),
  WEBHOOK_QUEUE_URL: httpUrl,
  MAIL_QUEUE_URL: httpUrl,
  HASH_QUEUE_URL: httpUrl,
  SCAN_QUEUE_URL: httpUrl,
  IMPORT_QUEUE_URL: httpUrl,
  EVENT_QUEUE_URL: httpUrl,
  DELIVERY_QUEUE_URL: httpUrl,
};

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings).filter((name): name is SettingName => name in settings);
export type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]> };
/** The same as `settings`, so typed that a name that is not known beforehand has the schema of its own values. */
const schemas: { [Name in SettingName]: z.core.$ZodType<Settings[Name]> } = settings;
/** The settings that a function names in its `declaration.ts`. */
export type SettingsOf<Names extends readonly SettingName[]> = Pick<Settings, Names[number]>;

/** Settings whose values are secrets: in the cloud each is an entry of the secrets store, never an environment value. */
export const secretSettings: ReadonlySet<string> = new Set<SettingName>([
  'PAYMENT_SECRET_KEY',
  'PAYMENT_WEBHOOK_SECRET',
  'PAYMENT_CONNECT_WEBHOOK_SECRET',
  'LICENSE_PEPPERS',
  'ENCRYPTION_KEYS',
  'TOKEN_KEYS',
  'LEASE_KEYS',
  'ORIGIN_SECRET',
  'CALLER_HASH_KEY',
]);

/** Missing, malformed or forbidden settings; the message names each and never shows a value. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(`Configuration refused: ${faults.join('; ')}.`);
    this.faults = faults;
  }
}

/**
 * The named settings of `env`, parsed. An empty value counts as missing.
 *
 * @throws ConfigError naming every setting at fault.
 */
export function readSettings<const Name extends SettingName>(
  names: readonly Name[],
  env: Record<string, string | undefined> = process.env,
): Pick<Settings, Name> {
  const faults = faultsBetween(env, names);
  const values: Partial<Pick<Settings, Name>> = {};
  for (const name of names) {
    // ADMIN_ALLOWLIST alone may be empty on purpose: nobody is an admin then.
    const raw = name === 'ADMIN_ALLOWLIST' ? env[name] : env[name] || undefined;
    const result = z.safeParse(schemas[name], raw);
    if (result.success) {
      values[name] = result.data;
    } else {
      faults.push(`${name} is ${raw === undefined ? 'missing' : 'malformed'}`);
    }
  }
  if (faults.length > 0 || !isComplete(values, names)) {
    throw new ConfigError(faults);
  }
  return values;
}

/** Whether each of the names was read; the value of an optional setting may be undefined. */
function isComplete<Name extends SettingName>(
  values: Partial<Pick<Settings, Name>>,
  names: readonly Name[],
): values is Pick<Settings, Name> {
  return names.every((name) => name in values);
}

/** Rules between settings, whether or not the function uses all of them. */
function faultsBetween(env: Record<string, string | undefined>, names: readonly SettingName[]): string[] {
  const value = (name: SettingName) => env[name] ?? '';
  const isLocal = value('STAGE') === 'local';
  const needsIssuer = (name: SettingName) => names.includes(name) && value('AUTH_MODE') === 'oidc' && value(name) === '';
  const { protocol, hostname } = URL.parse(value('OIDC_ISSUER')) ?? {};
  const audiences = list.parse(value('OIDC_AUDIENCE'));
  // A function that verifies tokens must accept those of the console.
  const needsAudience = value('AUTH_MODE') === 'oidc' && audiences.length > 0 && value('CONSOLE_CLIENT_ID') !== '';
  // In the mode that trusts headers, keys fetched over plain HTTP admit nobody who was not admitted already.
  const plainHttp = protocol === 'http:' && !(isLocal && (value('AUTH_MODE') === 'local' || isLoopback(hostname)));
  return [
    !isLocal && value('AUTH_MODE') === 'local' && 'AUTH_MODE local needs STAGE local',
    !isLocal && value('PAYMENT_API_BASE') !== '' && 'PAYMENT_API_BASE needs STAGE local',
    !isLocal && value('PAYMENT_WEBHOOK_SECRET').includes('whsec_local_') && 'PAYMENT_WEBHOOK_SECRET holds a local default',
    !isLocal && value('PAYMENT_CONNECT_WEBHOOK_SECRET').includes('whsec_local_') && 'PAYMENT_CONNECT_WEBHOOK_SECRET holds a local default',
    needsIssuer('OIDC_ISSUER') && 'OIDC_ISSUER is missing',
    needsIssuer('OIDC_AUDIENCE') && 'OIDC_AUDIENCE is missing',
    needsAudience && !audiences.includes(value('CONSOLE_CLIENT_ID')) && 'CONSOLE_CLIENT_ID is not in OIDC_AUDIENCE',
    value('ORIGIN_REQUIRED') !== '' && names.includes('ORIGIN_SECRET') && value('ORIGIN_SECRET') === '' && 'ORIGIN_SECRET is missing',
    !isLocal && URL.parse(value('PUBLIC_BASE_URL'))?.protocol === 'http:' && 'PUBLIC_BASE_URL may be plain http with STAGE local alone',
    !isLocal &&
      /(^|,)\s*eicar-only\s*(,|$)/i.test(value('TRUSTED_SCANNERS')) &&
      'TRUSTED_SCANNERS names eicar-only, which finds one test file alone',
    !isLocal &&
      names.includes('OPERATOR_INVOICE_NUMBER') &&
      value('OPERATOR_INVOICE_NUMBER') !== '' &&
      value('OPERATOR_NAME').trim() === '' &&
      'OPERATOR_NAME is missing beside OPERATOR_INVOICE_NUMBER',
    plainHttp && 'OIDC_ISSUER may be plain http on loopback with STAGE local alone',
    /_live_/.test(value('PAYMENT_SECRET_KEY')) && 'PAYMENT_SECRET_KEY is a live-mode key, and this is a test-mode service',
  ].filter((fault) => fault !== false);
}

const isLoopback = (hostname: string | undefined) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname ?? '');
