import { expect, jest, test } from '@jest/globals';
import { generatedSettings, localDefaults, stackSettings } from '../../infra/local/local-settings.ts';
import { deploymentSettings } from '../../infra/settings/deployment.ts';
import { edgeDefaults, readEdgeSettings } from '../../infra/settings/edge-settings.ts';
import { templateSettings } from '../../infra/stacks/environment.ts';
import { ConfigError, readSettings, type SettingName, secretSettings, settingNames } from '../../shared/config.ts';
import { readPage } from '../architecture/readme-page.ts';
import { constructAt, operatorSettings } from '../support/synthesized.ts';
import { everySetting } from '../support/templates/stacks-at.ts';

jest.setTimeout(60_000);

const settingsPage = readPage('infra/settings.md');
const section = settingsPage.split(/^## /m).find((part) => part.startsWith('Settings\n')) ?? '';
const namesIn = (text: string) => [...text.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name ?? '');

/** The defaults in a table, by setting. */
const defaultsIn = (text = '') =>
  Object.fromEntries([...text.matchAll(/^\| `([A-Z0-9_]+)` +\| (.*?) +\| .+ \|$/gm)].map(([, name, usual]) => [name, usual]));
const [ofService, ofLocalStack] = section.split('Of the local stack alone:').map(defaultsIn);

const textOf = (value: unknown) => (value === undefined ? 'none' : Array.isArray(value) && value.length === 0 ? 'none' : `\`${value}\``);

/** What becomes of a setting that the operator of a deployment does not give. */
function defaultInCloud(name: SettingName): string {
  const cloud: Partial<Record<string, string>> = { STAGE: 'staging', AUTH_MODE: 'oidc', [name]: undefined };
  if (secretSettings.has(name)) return 'secret';
  if (name === 'CURRENCIES') return 'all that are known';
  try {
    return textOf(readSettings([name], cloud)[name]);
  } catch (error) {
    if (error instanceof ConfigError && error.message.includes(`${name} is missing`)) return 'required';
    throw error;
  }
}

function isRefusedInCloud(name: SettingName): boolean {
  try {
    readSettings([name], {
      STAGE: 'staging',
      AUTH_MODE: 'oidc',
      OIDC_ISSUER: 'https://id.example.com',
      OIDC_AUDIENCE: 'a',
      [name]: 'http://127.0.0.1',
    });
  } catch (error) {
    return error instanceof ConfigError && error.message.includes(`${name} needs STAGE local`);
  }
  return false;
}

function defaultLocally(name: SettingName): string {
  const defaults: Record<string, string> = localDefaults;
  if (name === 'PUBLIC_BASE_URL') return '`http://127.0.0.1:$PORT`';
  if (name === 'PAYMENT_API_BASE') return 'the fake provider';
  if (name === 'CURRENCIES') return 'all that are known';
  if (generatedSettings.some((generated) => generated === name)) return 'generated';
  if (name in defaults) return textOf(defaults[name]);
  return textOf(readSettings([name], { STAGE: 'local', AUTH_MODE: 'local' })[name]);
}

test('the tables of settings have every setting that somebody can give, with its defaults, and no other', () => {
  const given = settingNames.filter((name) => !templateSettings.has(name));
  const [onlyHere, everywhere] = [given.filter(isRefusedInCloud), given.filter((name) => !isRefusedInCloud(name))];
  const inBoth = (cloud: string, local: string) => (cloud === local ? cloud : `${cloud}; locally ${local}`);
  expect(ofService).toEqual(Object.fromEntries(everywhere.map((name) => [name, inBoth(defaultInCloud(name), defaultLocally(name))])));
  const ofStack = Object.entries(stackSettings).map(([name, value]) => [
    name,
    value !== '' ? textOf(value) : name.endsWith('_ENDPOINT') ? 'started here' : 'none',
  ]);
  expect(ofLocalStack).toEqual(Object.fromEntries([...onlyHere.map((name) => [name, defaultLocally(name)]), ...ofStack]));
});

test('the settings that the templates fill in are listed below it', () => {
  const list = section.split('\n').find((line) => line.startsWith('The templates fill in')) ?? '';
  expect(namesIn(list).sort()).toEqual([...templateSettings].sort());
});

test('the settings of the synthesis are listed with the stacks', () => {
  const page = readPage('infra/stacks/README.md');
  const listed = page.split(/^## /m).find((part) => part.startsWith('Settings of the synthesis\n')) ?? '';
  expect([...listed.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name]) => name)).toEqual(deploymentSettings);
});

test('the settings of the edge are in the table of them, with their defaults', () => {
  const page = readPage('infra/stacks/edge.md');
  const rows = [...page.matchAll(/^\| `(EDGE_\w+)` +\| `?([^|`]+?)`? +\|/gm)].map(([, name, usual]) => [name, usual]);
  const required = ['EDGE_DOMAIN', 'EDGE_CERTIFICATE_ARN', 'EDGE_ORIGIN', 'PUBLIC_BASE_URL'] as const;
  const read = readEdgeSettings(Object.fromEntries(required.map((name) => [name, everySetting[name]]))) ?? {};
  const optional = Object.entries(read).flatMap(([name, value]) => (value === undefined ? [name] : []));
  const expected = Object.entries(edgeDefaults).map(([name, usual]) => {
    if (name === 'EDGE_DOMAIN') return [name, 'no edge'];
    return [name, optional.includes(name) ? 'none' : usual || 'required'];
  });
  expect(rows).toEqual(expected);
});

test('the settings of the edge make nothing at stage local', async () => {
  expect((await constructAt('local', everySetting)).stacks.edge).toBeUndefined();
});

const pool = { ...operatorSettings, OIDC_ISSUER: '', OIDC_AUDIENCE: '', CONSOLE_USER_POOL: 'create' };

test.each<[change: Record<string, string>, refusal: string, beside?: Record<string, string>]>([
  [{ AUTH_MODE: 'local' }, 'AUTH_MODE local needs STAGE local'],
  [{ PAYMENT_API_BASE: 'http://127.0.0.1:1' }, 'PAYMENT_API_BASE needs STAGE local'],
  [{ RESERVED_CONCURRENCY: 'checkout=50' }, 'RESERVED_CONCURRENCY names what is no function.'],
  [{ RESERVED_CONCURRENCY: 'checkout=50', ROLLOUT: 'many' }, 'ROLLOUT is malformed; RESERVED_CONCURRENCY names what is no function.'],
  [{ RESERVED_CONCURRENCY: 'licenses=0' }, 'RESERVED_CONCURRENCY is malformed'],
  [{ RESERVED_CONCURRENCY: 'licenses' }, 'RESERVED_CONCURRENCY is malformed'],
  [{ DEPLOY_ACCOUNT: '1234', DEPLOY_REGION: 'Tokyo' }, 'DEPLOY_ACCOUNT is malformed; DEPLOY_REGION is malformed'],
  [{ ROLLOUT: 'never' }, 'ROLLOUT is malformed'],
  [{ MAIL_IDENTITY: 'none' }, 'MAIL_IDENTITY is malformed'],
  [{ RESTORED_TABLE_STREAM_ARN: 'restored-0131' }, 'RESTORED_TABLE_STREAM_ARN is malformed'],
  [{ CONSOLE_CLIENT_ID: 'console' }, 'CONSOLE_CLIENT_ID is not in OIDC_AUDIENCE'],

  [{ CONSOLE_USER_POOL: 'yes' }, 'CONSOLE_USER_POOL is malformed', pool],
  [{ CONSOLE_MFA: 'sms' }, 'CONSOLE_MFA is malformed', pool],
  [{ CONSOLE_MFA: 'offline' }, 'CONSOLE_MFA is malformed', pool],
  [{ OIDC_ISSUER: 'https://id.example.com' }, 'OIDC_ISSUER is given, and CONSOLE_USER_POOL makes its own', pool],
  [{ OIDC_AUDIENCE: 'a' }, 'OIDC_AUDIENCE is given, and CONSOLE_USER_POOL makes its own', pool],
  [{ CONSOLE_CLIENT_ID: 'a' }, 'CONSOLE_CLIENT_ID is given, and CONSOLE_USER_POOL makes its own', pool],
  [{ AUTH_MODE: 'local' }, 'CONSOLE_USER_POOL needs AUTH_MODE oidc', pool],
  [{ CONSOLE_TOKEN: 'both' }, 'CONSOLE_TOKEN is malformed', pool],
  [{ PUBLIC_BASE_URL: '' }, 'PUBLIC_BASE_URL is missing', pool],

  [{ EDGE_CERTIFICATE_ARN: '' }, 'EDGE_CERTIFICATE_ARN is missing', everySetting],
  [{ EDGE_ORIGIN: '' }, 'EDGE_ORIGIN is missing', everySetting],
  [
    { EDGE_CERTIFICATE_ARN: everySetting.EDGE_CERTIFICATE_ARN.replace('us-east-1', 'eu-west-1') },
    'EDGE_CERTIFICATE_ARN is malformed',
    everySetting,
  ],
  [{ EDGE_DOMAIN: 'https://licenses.example.com' }, 'EDGE_DOMAIN is malformed', everySetting],
  [{ EDGE_ORIGIN: 'not a host' }, 'EDGE_ORIGIN is malformed', everySetting],
  [{ EDGE_ORIGIN: 'licenses.example.com' }, 'EDGE_ORIGIN is EDGE_DOMAIN', everySetting],
  [{ EDGE_ZONE_ID: 'example.com' }, 'EDGE_ZONE_ID is malformed', everySetting],
  [{ EDGE_SECRET_VERSION: 'latest' }, 'EDGE_SECRET_VERSION is malformed', everySetting],
  [{ EDGE_LICENSE_RATE: '9' }, 'EDGE_LICENSE_RATE is malformed', everySetting],
  [{ EDGE_RATE: 'many' }, 'EDGE_RATE is malformed', everySetting],
  [{ EDGE_RATE: 'many', EDGE_ORIGIN: '' }, 'EDGE_RATE is malformed; EDGE_ORIGIN is missing.', everySetting],
  [
    { PUBLIC_BASE_URL: 'https://abc123.execute-api.eu-west-1.amazonaws.com' },
    'PUBLIC_BASE_URL is not https:// and EDGE_DOMAIN',
    everySetting,
  ],
])('nothing is synthesized with %j: %s', async (change, refusal, beside = operatorSettings) => {
  await expect(constructAt('staging', { ...beside, ...change })).rejects.toThrow(`Configuration refused: ${refusal}`);
});

test('nothing is synthesized with several that are malformed, all of which are named, without their values', async () => {
  const wrong = { EDGE_RATE: 'many', ROLLOUT: 'many', PUBLIC_BASE_URL: 'many', MAIL_FROM: 'many', CONSOLE_ORIGINS: 'many' };
  const refused = await constructAt('staging', { ...operatorSettings, ...wrong }).catch(String);
  expect(refused).toBe(
    `Error: Configuration refused: ${['EDGE_RATE', 'ROLLOUT', 'CONSOLE_ORIGINS', 'PUBLIC_BASE_URL', 'MAIL_FROM'].map((name) => `${name} is malformed`).join('; ')}.`,
  );
});

test('nothing is synthesized without what an operator has to give, all of which is named', async () => {
  const missing = ['ADMIN_ALLOWLIST', 'PUBLIC_BASE_URL', 'MAIL_FROM'].map((name) => `(?=.*${name} is missing)`);
  await expect(constructAt('production', { AUTH_MODE: 'oidc' })).rejects.toThrow(new RegExp(`^Configuration refused: ${missing.join('')}`));
});
