import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readSettings, type SettingName } from '../../../shared/config.ts';
import { synthesizeAt } from '../../support/synthesized.ts';

jest.setTimeout(60_000);

/** What Secrets Manager draws from where a template asks for nothing else. */
const drawn = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));

/** A first value as a template has it generated. */
function generate({ PasswordLength = 32, ExcludeCharacters = '', ExcludePunctuation = false }: Record<string, any>): string {
  const characters = drawn.filter((one) => !ExcludeCharacters.includes(one) && !(ExcludePunctuation && /[^A-Za-z0-9]/.test(one)));
  return Array.from({ length: PasswordLength }, () => characters[randomInt(characters.length)]).join('');
}

describe('the first value of a secret, which nobody has set yet,', () => {
  let generated: Record<string, any>;
  beforeAll(async () => {
    const { templates } = await synthesizeAt('staging');
    const secrets = Object.values(templates.data.findResources('AWS::SecretsManager::Secret')).map(({ Properties }) => Properties);
    generated = Object.fromEntries(secrets.map(({ Name, GenerateSecretString }) => [Name.split('/').at(-1), GenerateSecretString]));
  });

  test.each<SettingName>([
    'PAYMENT_SECRET_KEY',
    'PAYMENT_WEBHOOK_SECRET',
    'PAYMENT_CONNECT_WEBHOOK_SECRET',
    'LICENSE_PEPPERS',
    'ENCRYPTION_KEYS',
    'TOKEN_KEYS',
    'LEASE_KEYS',
  ])('is never taken for %s: the function refuses to start', (setting) => {
    expect(generated[setting]).toBeDefined();
    for (let round = 0; round < 500; round += 1) {
      expect(() => readSettings([setting], { [setting]: generate(generated[setting]) })).toThrow(
        new RegExp(`^Configuration refused: .*${setting}`),
      );
    }
  });
});
