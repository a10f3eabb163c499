import { expect, test } from '@jest/globals';
import { generatedSettings, localDefaults, stackSettings } from '../../infra/local/local-settings.ts';
import { deploymentSettings } from '../../infra/settings/deployment.ts';
import { edgeDefaults, readEdgeSettings } from '../../infra/settings/edge-settings.ts';
import { templateSettings } from '../../infra/stacks/environment.ts';
import { ConfigError, readSettings, type SettingName, secretSettings, settingNames } from '../../shared/config.ts';
import { readPage } from '../architecture/readme-page.ts';
import { constructAt } from '../support/synthesized.ts';
import { everySetting } from '../support/templates/stacks-at.ts';

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
  const given = settingNames.filter((name) => !templateSettings.includes(name));
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
