import { randomInt } from 'node:crypto';
import { expect, jest, test } from '@jest/globals';
import { readSettings, type SettingName, secretSettings } from '../../../shared/config.ts';
import { readService } from '../../support/templates/service.ts';
import { stacksAt } from '../../support/templates/stacks-at.ts';

jest.setTimeout(60_000);

const service = readService(await stacksAt('staging'));

/** Those that cannot stay as they were made. */
const mustBeSet: SettingName[] = [
  'ENCRYPTION_KEYS',
  'LEASE_KEYS',
  'LICENSE_PEPPERS',
  'PAYMENT_CONNECT_WEBHOOK_SECRET',
  'PAYMENT_SECRET_KEY',
  'PAYMENT_WEBHOOK_SECRET',
  'TOKEN_KEYS',
];
const settingOf = (arn: string): string => service.at(arn)?.properties.Name.split('/').at(-1);

test('readiness is asked of each secret that cannot stay as it was made, and its values stay unread', () => {
  const health = service.functions.find(({ folder }) => folder === 'health');
  const allowed = (action: string) =>
    health?.statements.flatMap(({ Action, Resource }) => (Action.includes(action) ? Resource.map(settingOf) : [])).sort();
  expect(health?.environment['SECRETS_TO_SET']?.split(',').map(settingOf).sort()).toEqual(mustBeSet);
  expect(allowed('secretsmanager:DescribeSecret')).toEqual(mustBeSet);
  expect(allowed('secretsmanager:GetSecretValue')).toEqual(['CALLER_HASH_KEY', 'ORIGIN_SECRET']);
});

/** What Secrets Manager draws from where a template asks for nothing else. */
const drawn = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));

/** A first value as a template has it generated. */
function generate({ PasswordLength = 32, ExcludeCharacters = '', ExcludePunctuation = false }: Record<string, any>): string {
  const characters = drawn.filter((one) => !ExcludeCharacters.includes(one) && !(ExcludePunctuation && /[^A-Za-z0-9]/.test(one)));
  return Array.from({ length: PasswordLength }, () => characters[randomInt(characters.length)]).join('');
}

test.each(mustBeSet)('the first value of a secret, which nobody has set yet, is never taken for %s', (setting) => {
  const [made] = service.ofType('AWS::SecretsManager::Secret').filter(({ arn }) => settingOf(arn) === setting);
  for (let round = 0; round < 500; round += 1) {
    expect(() => readSettings([setting], { [setting]: generate(made?.properties.GenerateSecretString) })).toThrow(
      new RegExp(`^Configuration refused: .*${setting}`),
    );
  }
});

test('each function with secrets is told how long to keep them, and no other', () => {
  const told = service.functions.map(({ environment: { SECRETS_SECONDS, ...others } }) => [
    SECRETS_SECONDS,
    Object.keys(others).some((name) => secretSettings.has(name)),
  ]);
  expect(new Set(told.map((each) => each.join()))).toEqual(new Set(['60,true', ',false']));
});
