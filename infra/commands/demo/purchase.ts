import * as z from 'zod/mini';
import type { CheckoutResponse, PurchaseCompletionPageResponse } from '../../../build/client.ts';
import { waitFor } from '../../local/examples/wait-for.ts';
import { base } from './base.ts';
import { actAtProvider, anyone, expectBody, story } from './stage.ts';

export interface Payment {
  /** What whoever paid sees of it. */
  purchase: PurchaseCompletionPageResponse;
  token: string;
  /** Gives all of the money back, at the payment provider. */
  refund(): Promise<void>;
}

/** Pays a checkout as somebody, and follows the link in the mail. Takes one payment of each payer. */
export async function pay({ checkout_url }: CheckoutResponse, payer: string): Promise<Payment> {
  const email = `${payer}-${story}@example.com`;
  const hosted = new URL(checkout_url);
  const session = hosted.pathname.split('/').at(-1) ?? '';
  await actAtProvider(`${hosted.origin}/test/checkout/${session}/pay`, { email });
  const token = await waitFor('the mail', () => findTokenInMail(email));
  console.log('  The mail is in the outbox, with a completion link and no key.');
  const purchase = await expectBody(anyone.completePurchase({ body: { token } }));
  if (!('order' in purchase)) throw new Error('A token is answered in the page form.');
  return { purchase, token, refund: () => actAtProvider(`${hosted.origin}/test/payments/${session}/refund`, {}) };
}

export interface Purchase extends Payment {
  licenseId: string;
  licenseKey: string;
}

/** Buys one of a product: the license and the key that the purchase shows. */
export async function buy(slug: string, buyer: string): Promise<Purchase> {
  await expectBody(anyone.getPublicProduct({ path: { slug } }));
  return purchaseOf(await pay(await expectBody(anyone.createCheckout({ path: { slug }, body: { locale: 'en' } })), buyer));
}

/** @throws Error when the purchase shows no license key */
export function purchaseOf(payment: Payment): Purchase {
  const { id: licenseId, license_key: licenseKey } = payment.purchase.license ?? {};
  if (licenseId === undefined || licenseKey === undefined) throw new Error('The purchase shows no license key.');
  return { ...payment, licenseId, licenseKey };
}

const Outbox = z.object({ items: z.array(z.object({ to: z.string(), text: z.string() })) });

async function findTokenInMail(email: string): Promise<string | undefined> {
  const { items } = z.parse(Outbox, await (await fetch(`${base}/__local/outbox`)).json());
  const mail = items.find(({ to }) => to === email);
  return mail && /#token=([\w.-]+)/.exec(mail.text)?.[1];
}
