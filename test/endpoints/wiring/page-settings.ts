import { expect } from '@jest/globals';
import type { SettingName } from '../../../shared/config.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { newId } from '../../../shared/ids.ts';
import type { operatorSettings } from '../../../shared/operator.ts';
import { buyerEmailHashes } from '../../../shared/orders/buyer-email.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { type Call, d, differ, type Effect, limit, newCaller, queue } from './setting-effects.ts';

/** Who stands behind the pages: each setting is in the footer of all of them, or their name. */
const operator = (): Record<(typeof operatorSettings)[number], Effect> => {
  const shows =
    (name: SettingName, value: string, shown = value) =>
    () =>
      differ('pages', async (call) => (await call('GET', '/complete')).text.includes(shown), [
        [{}, false],
        [{ [name]: value }, true],
      ]);
  return {
    SERVICE_NAME: shows('SERVICE_NAME', 'Kumo Licenses'),
    OPERATOR_NAME: shows('OPERATOR_NAME', 'Kumo K.K.'),
    OPERATOR_ADDRESS: shows('OPERATOR_ADDRESS', '1-2-3 Ginza, Tokyo'),
    OPERATOR_CONTACT: shows('OPERATOR_CONTACT', 'help@kumo.example'),
    TERMS_URL: shows('TERMS_URL', 'https://kumo.example/terms/', 'href="https://kumo.example/terms/"'),
    PRIVACY_URL: shows('PRIVACY_URL', 'https://kumo.example/privacy', 'href="https://kumo.example/privacy"'),
  };
};

const askForLinks = (call: Call, address: string) =>
  call('POST', '/manage', { body: new URLSearchParams({ buyer_email: address }).toString(), sourceIp: newCaller() });

/** The keys under which a request for links can be matched with the orders of its address. */
async function keysOfRequest(call: Call): Promise<string[]> {
  const address = `${newId('mail')}@example.com`;
  expect((await askForLinks(call, address)).status).toBe(303);
  const recorded = (await readContents(d)).flatMap(({ emailHashes }) => emailHashes ?? []);
  return ['e1', 'e2'].filter((version) => recorded.includes(buyerEmailHashes(address, Keyring.parse(keyringText(version)))[0]));
}

/** What the settings of the pages do, those of the checkout aside. */
export const pageEffects = (): Partial<Record<SettingName, Effect>> => ({
  ...operator(),
  MAIL_QUEUE_URL: queue('pages', 'MAIL_QUEUE_URL', 'send-links', (call) => askForLinks(call, 'buyer@example.com')),
  ENCRYPTION_KEYS: () =>
    differ('pages', keysOfRequest, [
      [{}, ['e1']],
      [{ ENCRYPTION_KEYS: keyringText('e2') }, ['e2']],
      [{ ENCRYPTION_KEYS: keyringText('e2', 'e1') }, ['e1', 'e2']],
    ]),
  RATE_LIMIT_COMPLETE: limit('pages', 'RATE_LIMIT_COMPLETE', 30, 'POST', '/manage'),
});
