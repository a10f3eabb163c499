import { expect } from '@jest/globals';
import { buyerEmailHashes } from '../../../shared/buyer-email/buyer-email.ts';
import type { SettingName } from '../../../shared/config.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { sellerKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import type { operatorSettings } from '../../../shared/operator.ts';
import { Order } from '../../../shared/orders/order.ts';
import { readContents } from '../../support/engines/table-contents.ts';
import { keyringText } from '../../support/samples/licenses.ts';
import { type Call, d, differ, type Effect, limit, newCaller, queue, shows } from './setting-effects.ts';

/** Who stands behind the pages: each setting is in the footer of all of them, or their name. */
const operator = (): Record<(typeof operatorSettings)[number], Effect> => {
  const inText = (value: string, shown = value) =>
    shows(async (call) => (await call('GET', '/complete')).text.includes(shown), { default: false, [value]: true });
  return {
    SERVICE_NAME: inText('Kumo Licenses'),
    OPERATOR_NAME: inText('Kumo K.K.'),
    OPERATOR_ADDRESS: inText('1-2-3 Ginza, Tokyo'),
    OPERATOR_CONTACT: inText('help@kumo.example'),
    TERMS_URL: inText('https://kumo.example/terms/', 'href="https://kumo.example/terms/"'),
    PRIVACY_URL: inText('https://kumo.example/privacy', 'href="https://kumo.example/privacy"'),
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

/** Who issues the invoices of what is sold, shown by what an order keeps of it. */
export function invoiceEffects(checkout: (call: Call) => Promise<unknown>): Partial<Record<SettingName, Effect>> {
  async function issuer(call: Call): Promise<unknown> {
    const values = { ':number': 'T3333333333333' };
    const Key = sellerKey(d.own.product.sellerId);
    await d.table.write({
      update: { Key, UpdateExpression: 'SET invoiceRegistrationNumber = :number', ExpressionAttributeValues: values },
    });
    await checkout(call);
    const orders = (await readContents(d)).flatMap((item) => (item['sk'] === 'ORDER' ? (Order.safeParse(item).data ?? []) : []));
    const { invoice } = orders.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0]!;
    return [invoice?.registrationNumber, invoice?.operatorName, invoice?.operatorRegistrationNumber];
  }
  const OPERATOR_INVOICE_NUMBER = 'T1111111111111';
  return {
    OPERATOR_NAME: (name) =>
      differ(name, issuer, [
        [{ OPERATOR_INVOICE_NUMBER, OPERATOR_NAME: 'Kumo K.K.' }, ['T3333333333333', 'Kumo K.K.', OPERATOR_INVOICE_NUMBER]],
        [{ OPERATOR_INVOICE_NUMBER }, ['T3333333333333', 'Operator', OPERATOR_INVOICE_NUMBER]],
      ]),
    OPERATOR_INVOICE_NUMBER: shows(issuer, {
      default: ['T3333333333333', undefined, undefined],
      T2222222222222: ['T3333333333333', 'Operator', 'T2222222222222'],
    }),
  };
}

/** What the settings of the pages do, those of the checkout aside. */
export const pageEffects = (): Partial<Record<SettingName, Effect>> => ({
  ...operator(),
  MAIL_QUEUE_URL: queue('send-links', (call) => askForLinks(call, 'buyer@example.com')),
  ENCRYPTION_KEYS: shows(keysOfRequest, { default: ['e1'], [keyringText('e2')]: ['e2'], [keyringText('e2', 'e1')]: ['e1', 'e2'] }),
  RATE_LIMIT_COMPLETE: limit(30, 'POST', '/manage'),
  // Of a product that is there: one that is not is not found all the same.
  RATE_LIMIT_QUOTE: (...of) => limit(30, 'GET', `/p/${d.own.product.slug}?code=ANY`)(...of),
});
