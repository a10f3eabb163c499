import { expect, jest, test } from '@jest/globals';
import { secretSettings } from '../../../shared/config.ts';
import { operatorSettings, synthesizeAt } from '../../support/synthesized.ts';
import { textIn } from '../../support/template-texts.ts';

jest.setTimeout(60_000);

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);
/** The setting of the secret that a cross-stack reference leads to. */
const settingIn = (reference: string) => /ExportsOutputRef([A-Z]+)[0-9A-F]{16}$/.exec(reference)?.[1];
const spelled = (names: readonly string[]) => names.map((name) => name.replaceAll('_', '')).sort();

test('readiness is asked of each secret that cannot stay as it was made, and its values stay unread', async () => {
  const { api } = (await synthesizeAt('staging')).templates;
  const mustBeSet = spelled([
    ...['PAYMENT_SECRET_KEY', 'PAYMENT_WEBHOOK_SECRET', 'PAYMENT_CONNECT_WEBHOOK_SECRET'],
    ...['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TOKEN_KEYS', 'LEASE_KEYS'],
  ]);
  const health = Object.values(api.findResources('AWS::Lambda::Function')).find(
    ({ Properties }) => Properties.Description === 'license-service health',
  );
  const named = textIn(health?.['Properties'].Environment.Variables.SECRETS_TO_SET).split(',');
  expect(named.map(settingIn).sort()).toEqual(mustBeSet);

  const policies = Object.entries(api.findResources('AWS::IAM::Policy')).filter(([id]) => id.startsWith('healthRole'));
  const resources = (action: string) =>
    policies
      .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
      .filter(({ Action }) => list(Action).includes(action))
      .flatMap(({ Resource }) => list(Resource).map((resource) => settingIn(textIn(resource))));
  expect(resources('secretsmanager:DescribeSecret').sort()).toEqual(mustBeSet);
  expect(resources('secretsmanager:GetSecretValue').sort()).toEqual(spelled(['CALLER_HASH_KEY', 'ORIGIN_SECRET']));
});

test('each function with secrets is told how long to keep them, and no other', async () => {
  const { api, workers } = (await synthesizeAt('staging', { ...operatorSettings, SECRETS_SECONDS: '60' })).templates;
  const functions = [api, workers].flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')));
  const told = functions.map(({ Properties }) => {
    const { SECRETS_SECONDS, ...others } = Properties.Environment.Variables;
    return { seconds: SECRETS_SECONDS, hasSecrets: Object.keys(others).some((name) => secretSettings.has(name)) };
  });
  expect(new Set(told.map(({ hasSecrets }) => hasSecrets))).toEqual(new Set([true, false]));
  expect(told).toEqual(told.map(({ hasSecrets }) => ({ seconds: hasSecrets ? '60' : undefined, hasSecrets })));
});
