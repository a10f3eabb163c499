import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, readSettings, type SettingName, settingNames } from '../../shared/config.ts';

const keys = `2:${createHash('sha256').update('2').digest('base64url')},1:${createHash('sha256').update('1').digest('base64')}`;
/** The private keys 1 and 2 of the curve. */
const scalar = (hex: string) => Buffer.from(hex.padStart(64, '0'), 'hex').toString('base64');
const leaseKeys = `2:${scalar('2')},1:${scalar('1')}`;
const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
const queue = 'https://sqs.ap-northeast-1.amazonaws.com/111122223333/queue';

/** Everything set as a deployment would. */
const deployed: Record<string, string> = {
  STAGE: 'production',
  AUTH_MODE: 'oidc',
  ADMIN_ALLOWLIST: 'admin@example.com, sub:1234',
  OIDC_ISSUER: 'https://issuer.example.com/',
  OIDC_AUDIENCE: 'client-1, client-2',
  CONSOLE_ORIGINS: 'https://console.example.com, http://localhost:5173',
  PUBLIC_BASE_URL: 'https://api.example.com/',
  PAYMENT_SECRET_KEY: 'sk_test_abc123',
  PAYMENT_WEBHOOK_SECRET: 'whsec_new_0123456789, whsec_old/+-=_0123',
  PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_connect_0123',
  LICENSE_PEPPERS: keys,
  ENCRYPTION_KEYS: keys,
  TOKEN_KEYS: keys,
  LEASE_KEYS: leaseKeys,
  CALLER_HASH_KEY: 'a secret of 32 or so letters',
  MAIL_FROM: 'shop@example.com',
  MAIL_CONFIGURATION_SET: 'mails',
  TABLE_NAME: 'table',
  ...Object.fromEntries(settingNames.flatMap((name) => (name.endsWith('_QUEUE_URL') ? [[name, queue]] : []))),
};
const local = { ...deployed, STAGE: 'local', AUTH_MODE: 'local' };
const refusal = (names: readonly SettingName[], env: Record<string, string | undefined>) => {
  try {
    readSettings(names, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return undefined;
};

describe('settings', () => {
  test('are read, with their defaults', () => {
    expect(readSettings(settingNames, deployed)).toMatchObject({
      ADMIN_ALLOWLIST: ['admin@example.com', 'sub:1234'],
      OIDC_ISSUER: 'https://issuer.example.com/',
      OIDC_AUDIENCE: ['client-1', 'client-2'],
      CONSOLE_ORIGINS: ['https://console.example.com', 'http://localhost:5173'],
      PUBLIC_BASE_URL: 'https://api.example.com',
      CURRENCIES: ['JPY', 'USD', 'EUR', 'GBP', 'AUD', 'CAD', 'SGD', 'HKD', 'KRW', 'CHF', 'NZD', 'SEK', 'NOK', 'DKK'],
      PAYMENT_WEBHOOK_SECRET: ['whsec_new_0123456789', 'whsec_old/+-=_0123'],
    });
    expect(readSettings(['CURRENCIES', 'RATE_LIMIT_CHECKOUT'], { ...local, CURRENCIES: ' jpy ,,usd', RATE_LIMIT_CHECKOUT: '0' })).toEqual({
      CURRENCIES: ['JPY', 'USD'],
      RATE_LIMIT_CHECKOUT: 0,
    });
  });

  const required = settingNames.filter((name) => name in deployed && name !== 'CONSOLE_ORIGINS');
  test.each(required)('%s missing or empty stops the function and is named', (name) => {
    const missing = { ...deployed, [name]: undefined };
    expect(refusal(settingNames, missing)).toContain(`${name} is missing`);
    const mayBeEmpty = name === 'ADMIN_ALLOWLIST';
    expect(refusal(settingNames, { ...deployed, [name]: '' })).toEqual(
      mayBeEmpty ? undefined : expect.stringContaining(`${name} is missing`),
    );
    const others = settingNames.filter((other) => other !== name && !(name === 'STAGE' && other === 'AUTH_MODE'));
    expect(refusal(others, missing)).toBeUndefined();
  });

  test('outside local neither STAGE nor AUTH_MODE has a default', () => {
    expect(refusal(['STAGE', 'AUTH_MODE'], {})).toMatch(/STAGE is missing.*AUTH_MODE is missing/);
  });

  test('an allowlist that is set but empty is nobody', () => {
    expect(readSettings(['ADMIN_ALLOWLIST'], { ADMIN_ALLOWLIST: '' })).toEqual({ ADMIN_ALLOWLIST: [] });
    expect(readSettings(['ADMIN_ALLOWLIST'], { ADMIN_ALLOWLIST: ' , ' })).toEqual({ ADMIN_ALLOWLIST: [] });
  });

  test('the issuer is needed in OIDC mode alone, by the functions that name it', () => {
    const issuerless = { ...deployed, OIDC_ISSUER: undefined, OIDC_AUDIENCE: '' };
    expect(refusal(['AUTH_MODE', 'OIDC_ISSUER', 'OIDC_AUDIENCE'], issuerless)).toMatch(/OIDC_ISSUER is missing; OIDC_AUDIENCE is missing/);
    expect(refusal(['AUTH_MODE', 'OIDC_ISSUER', 'OIDC_AUDIENCE'], { ...issuerless, STAGE: 'local', AUTH_MODE: 'local' })).toBeUndefined();
    expect(refusal(['TABLE_NAME'], issuerless)).toBeUndefined();
  });

  test('the operator has a name beside a number of its own, by the functions that know both, and locally one by itself', () => {
    const numbered = { ...deployed, OPERATOR_INVOICE_NUMBER: 'T1234567890123', OPERATOR_NAME: ' ' };
    const nameless = { ...numbered, OPERATOR_NAME: undefined };
    const names = ['STAGE', 'OPERATOR_NAME', 'OPERATOR_INVOICE_NUMBER'] as const;
    expect(refusal(names, nameless)).toContain('OPERATOR_NAME is missing beside OPERATOR_INVOICE_NUMBER');
    expect(refusal(names, numbered)).toContain('OPERATOR_NAME is missing beside OPERATOR_INVOICE_NUMBER');
    expect(refusal(names, { ...numbered, OPERATOR_NAME: 'Kumo K.K.' })).toBeUndefined();
    expect(refusal(['STAGE', 'OPERATOR_NAME'], nameless)).toBeUndefined();
    expect(refusal(names, { ...nameless, STAGE: 'local', AUTH_MODE: 'local' })).toBeUndefined();
  });

  test('the console must be an audience where tokens are verified, by the functions that know both', () => {
    const names = ['AUTH_MODE', 'OIDC_ISSUER', 'OIDC_AUDIENCE', 'CONSOLE_CLIENT_ID'] as const;
    const withConsole = (CONSOLE_CLIENT_ID: string | undefined, changes = {}) => ({ ...deployed, CONSOLE_CLIENT_ID, ...changes });
    for (const id of ['client-3', 'client-']) expect(refusal(names, withConsole(id))).toMatch(/CONSOLE_CLIENT_ID is not in OIDC_AUDIENCE/);
    for (const allowed of ['client-2', '', undefined]) expect(refusal(names, withConsole(allowed))).toBeUndefined();
    expect(refusal(names, withConsole('client-3', { STAGE: 'local', AUTH_MODE: 'local' }))).toBeUndefined();
    expect(
      refusal(['CONSOLE_CLIENT_ID', 'PUBLIC_BASE_URL'], { CONSOLE_CLIENT_ID: 'client-3', PUBLIC_BASE_URL: 'https://a.example' }),
    ).toBeUndefined();
    expect(readSettings(['CONSOLE_CLIENT_ID'], { CONSOLE_CLIENT_ID: '' })).toEqual({});
  });

  const secret = 'Sup3rS3cretValue';
  const notSecrets = ['whsec_', 'whsec_Sup3rS3cret', `${secret}_whsec_`, `x_whsec_${'a'.repeat(20)}`];
  const noWebhookSecrets = [...notSecrets, secret, 'whsec_Sup3r S3cretValue', 'whsec_Sup3rS3cretV:alue'];
  const noScalars = ['0', order, order.replace(/1$/, '2'), 'f'.repeat(64)].map(scalar);
  const malformed: Partial<Record<SettingName, string[]>> = {
    STAGE: [secret],
    AUTH_MODE: [secret],
    ADMIN_ALLOWLIST: [`admin@example.com,${secret}`, 'sub:'],
    OIDC_ISSUER: [secret, `ftp://${secret}`],
    OIDC_AUDIENCE: [' , '],
    OIDC_KEYS_SECONDS: ['0', '86401', '-1'],
    CONSOLE_ORIGINS: ['*', 'null', `https://${secret}.example.com/path`, 'https://console.example.com/'],
    PUBLIC_BASE_URL: [secret],
    CURRENCIES: ['YEN!', ',', 'JPY,IQD', 'XTS'],
    PLATFORM_FEE_BPS: ['10001', '-1', '1.5'],
    PAYMENT_SECRET_KEY: [secret, 'pk_test_abc', 'rk_test_abc'],
    PAYMENT_ACCOUNT_COUNTRY: ['Japan'],
    PAYMENT_WEBHOOK_SECRET: [',', ...noWebhookSecrets.map((value) => `whsec_0123456789ab,${value}`)],
    PAYMENT_CONNECT_WEBHOOK_SECRET: noWebhookSecrets,
    LICENSE_PEPPERS: [secret],
    ENCRYPTION_KEYS: [`1:${secret}`],
    TOKEN_KEYS: [`${keys},${keys}`],
    LEASE_KEYS: [
      ...[secret, `1:${secret}`, `1:${'!'.repeat(43)}`, `${leaseKeys},2:${scalar('3')}`, `2:${scalar('7')},1:${scalar('7')}`],
      ...noScalars.flatMap((value) => [`1:${value}`, `${leaseKeys},3:${value}`]),
    ],
    CALLER_HASH_KEY: ['fifteen letters'],
    RATE_LIMIT_CHECKOUT: [secret],
    RATE_LIMIT_EMAIL_REQUESTS: [secret],
    RATE_LIMIT_ENDPOINT_CALLS: [secret],
    RATE_LIMIT_HEALTH: ['1000001'],
    RATE_LIMIT_OFFLINE: [secret],
    RATE_LIMIT_QUOTE: [secret],
    RATE_LIMIT_ROTATIONS: [secret],
    RATE_LIMIT_SEARCH: [secret],
    RATE_LIMIT_UNKNOWN_KEYS: ['many'],
    SERVICE_NAME: [secret.repeat(7)],
    OPERATOR_NAME: [secret.repeat(13)],
    OPERATOR_INVOICE_NUMBER: [`T${secret}`, 'T123456789012'],
    OPERATOR_ADDRESS: [secret.repeat(32)],
    OPERATOR_CONTACT: ['   '],
    TERMS_URL: [secret],
    PRIVACY_URL: [`javascript:${secret}`],
    BUYER_MOVES: ['-1'],
    REVIEW_DUE_HOURS: ['0', '8761'],
    MAIL_FROM: [secret],
    ORIGIN_REQUIRED: [secret, 'false'],
    CLAMD_URL: [`http://${secret}`],
    MAX_FILE_BYTES: ['0', String(5 * 1024 ** 3 + 1)],
    MAIL_QUEUE_URL: [secret],
  };
  test.each(Object.entries(malformed))(
    'a malformed %s stops the function; the message names it and never shows any of %j',
    (name, values) => {
      for (const value of values) {
        const message = refusal([name as SettingName], { ...deployed, [name]: value });
        expect([value, message]).toEqual([value, expect.stringContaining(`${name} is malformed`)]);
        expect(message).not.toContain(secret);
        if (name === 'LEASE_KEYS') expect(message).not.toContain(value.slice(2, 22));
      }
    },
  );

  test('every setting at fault is named at once', () => {
    expect(refusal(['TABLE_NAME', 'MAIL_FROM', 'STAGE'], { MAIL_FROM: 'x' })).toBe(
      'Configuration refused: TABLE_NAME is missing; MAIL_FROM is malformed; STAGE is missing.',
    );
  });

  test.each<[SettingName, string]>([
    ['AUTH_MODE', 'local'],
    ['PAYMENT_API_BASE', 'http://127.0.0.1:9'],
    ['PAYMENT_WEBHOOK_SECRET', 'whsec_local_platform'],
    ['PAYMENT_WEBHOOK_SECRET', 'whsec_real_0123456789,whsec_local_platform'],
    ['PAYMENT_CONNECT_WEBHOOK_SECRET', 'whsec_local_connect'],
    ['PUBLIC_BASE_URL', 'http://127.0.0.1:3000'],
    ['PUBLIC_BASE_URL', 'http://licenses.example.com'],
    ['PUBLIC_BASE_URL', 'HTTP://licenses.example.com'],
    ['PUBLIC_BASE_URL', ' http://licenses.example.com'],
    ['TRUSTED_SCANNERS', 'eicar-only'],
    ['TRUSTED_SCANNERS', 'clamav, eicar-only'],
    ['TRUSTED_SCANNERS', 'eicar-only ,guardduty'],
  ])('%s=%s is refused outside local, even by a function that does not use it', (name, value) => {
    for (const STAGE of ['staging', 'production', undefined]) {
      const message = refusal(['TABLE_NAME'], { ...deployed, STAGE, [name]: value });
      expect(message).toContain(name);
      expect(message).not.toContain('platform');
    }
    expect(refusal(['TABLE_NAME'], { ...local, [name]: value })).toBeUndefined();
  });

  test.each<[SettingName, string]>([
    ['PUBLIC_BASE_URL', 'https://licenses.example.com'],
    ['TRUSTED_SCANNERS', 'clamav,guardduty'],
    ['TRUSTED_SCANNERS', 'eicar-only-2'],
  ])('%s=%s is taken at every stage', (name, value) => {
    for (const env of [deployed, local]) expect(refusal([name], { ...env, [name]: value })).toBeUndefined();
  });

  test.each(['sk_live_abc123', 'rk_live_abc123'])('a live payment key is refused at every stage', (key) => {
    for (const env of [deployed, local]) {
      const message = refusal(['PAYMENT_SECRET_KEY'], { ...env, PAYMENT_SECRET_KEY: key });
      expect(message).toContain('PAYMENT_SECRET_KEY is a live-mode key');
      expect(message).not.toContain('abc123');
    }
  });

  test('callers cannot be held to a secret that is not there', () => {
    const env = { ...deployed, ORIGIN_REQUIRED: 'true' };
    expect(refusal(['ORIGIN_SECRET', 'ORIGIN_REQUIRED'], env)).toBe('Configuration refused: ORIGIN_SECRET is missing.');
    expect(refusal(['ORIGIN_SECRET', 'ORIGIN_REQUIRED'], { ...env, ORIGIN_SECRET: 'x' })).toBeUndefined();
    expect(refusal(['ORIGIN_SECRET', 'ORIGIN_REQUIRED'], deployed)).toBeUndefined();
    expect(refusal(['TABLE_NAME'], env)).toBeUndefined();
  });

  test('an issuer may be plain http on loopback with STAGE local alone, or where headers are believed anyway', () => {
    const allowed = (stage: string, issuer: string) => refusal(['OIDC_ISSUER'], { STAGE: stage, OIDC_ISSUER: issuer }) === undefined;
    for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:1', '127.1.2.3']) {
      expect(allowed('local', `http://${host}/`)).toBe(true);
      expect(allowed('staging', `http://${host}/`)).toBe(false);
    }
    const believed = (STAGE: string) =>
      refusal(['OIDC_ISSUER'], { STAGE, AUTH_MODE: 'local', OIDC_ISSUER: 'http://shop.test/' })?.includes('OIDC_ISSUER') ?? false;
    expect([believed('local'), believed('staging')]).toEqual([false, true]);
    for (const host of ['issuer.example.com', '127.0.0.1.example.com', 'localhost.example.com', '10.0.0.1', '0.0.0.0']) {
      expect(allowed('local', `http://${host}/`)).toBe(false);
      expect(allowed('production', `https://${host}/`)).toBe(true);
    }
  });
});
