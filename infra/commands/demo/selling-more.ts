import type { ProductUpsertRequest } from '../../../build/client.ts';
import { waitFor } from '../../local/examples/wait-for.ts';
import { type Payment, type Purchase, pay, purchaseOf } from './purchase.ts';
import { admin, anyone, chapter, expectBody, quietSeller, seller, story, summary } from './stage.ts';

const number = 'T1234567890123';
const code = 'TEAMS-10';

const draft: ProductUpsertRequest = {
  name: `Demo Notes ${story}`,
  description: 'Notes for teams.',
  price_amount: 1000,
  currency: 'JPY',
  support_email: 'support@example.com',
  refund_policy: 'Refunds within 14 days.',
  software_operating_environment: 'Windows 11, macOS 15, Linux',
  activation_limit: 2,
  max_quantity: 5,
  addition_prices: { seat: 300 },
};

async function offer(product: ProductUpsertRequest): Promise<{ id: string; slug: string }> {
  const { id, slug } = await expectBody(seller.createProduct({ body: product }));
  await expectBody(seller.submitProduct({ path: { product_id: id } }));
  await expectBody(admin.reviewProduct({ path: { product_id: id }, body: { decision: 'approve' } }));
  return { id, slug };
}

async function offerMore(): Promise<{ notes: { id: string; slug: string }; pro: { id: string; slug: string } }> {
  chapter('15. The seller offers several seats in one order, a code, more seats later and an upgrade, and issues invoices');
  await expectBody(seller.updateOwnSeller({ body: { invoice_registration_number: number } }));
  const notes = await offer(draft);
  const upgrade = { product_id: notes.id, price_amount: 500 };
  const pro = await offer({ ...draft, name: `Demo Notes Pro ${story}`, price_amount: 2000, activation_limit: 3, upgrades_from: [upgrade] });
  await expectBody(seller.createDiscount({ path: { product_id: notes.id }, body: { code, percent_off: 10, max_redemptions: 50 } }));
  return { notes, pro };
}

async function sellToTeam(slug: string): Promise<Purchase> {
  chapter('16. A team asks what three cost with the code, and buys them: one order, one key');
  const choice = { quantity: 3, discount_code: code.toLowerCase() };
  const quote = await expectBody(anyone.quotePrice({ path: { slug }, body: choice }));
  const checkout = await expectBody(anyone.createCheckout({ path: { slug }, body: { locale: 'en', ...choice } }));
  const bought = purchaseOf(await pay(checkout, 'team'));
  const { quantity, unit_amount, currency } = bought.purchase.order;
  const seats = bought.purchase.license?.activation_limit;
  summary.push(
    `a team: ${quantity} at ${unit_amount} ${currency}, ${quote.discount_amount} off with ${code}; one key for ${seats} devices`,
  );
  return bought;
}

/** Until the license of an order has this limit, as its seller sees it. */
const limitIs = (orderId: string, limit: number) =>
  waitFor(`a limit of ${limit}`, async () => {
    const { license } = await expectBody(quietSeller.getSoldOrder({ path: { order_id: orderId } }));
    return license?.activation_limit === limit ? limit : undefined;
  });

async function addSeats({ token, purchase }: Purchase): Promise<Payment> {
  chapter('17. A colleague pays for two more seats, and sees neither key nor devices');
  const addition = await pay(await expectBody(anyone.createAddition({ body: { token, kind: 'seats', quantity: 2 } })), 'colleague');
  if ('license' in addition.purchase) throw new Error('Who paid for seats sees the license.');
  const limit = await limitIs(purchase.order.id, 8);
  summary.push(`a colleague paid ${addition.purchase.order.amount} for ${addition.purchase.added}: the same key for ${limit} devices`);
  return addition;
}

async function upgrade({ token, licenseKey }: Purchase, productId: string): Promise<void> {
  chapter('18. The team upgrades once, at the price for owners; the old license stays usable');
  const upgraded = purchaseOf(await pay(await expectBody(anyone.createUpgrade({ body: { token, product_id: productId } })), 'team-lead'));
  const again = await anyone.createUpgrade({ body: { token, product_id: productId } });
  if (again.error?.code !== 'already_upgraded') throw new Error('A second upgrade was not refused.');
  if (upgraded.licenseKey === licenseKey) throw new Error('The upgrade has the key of the old license.');
  const { order, license } = upgraded.purchase;
  summary.push(
    `an upgrade for ${order.amount}: a key of its own for ${license?.activation_limit} devices; a second one: ${again.error.code}`,
  );
}

async function refundSeats({ purchase }: Purchase, addition: Payment): Promise<void> {
  chapter('19. The seats are refunded at the payment provider and go, and the receipts are invoices');
  await addition.refund();
  summary.push(`the added seats refunded: ${await limitIs(purchase.order.id, 6)} devices again`);
  const refunded = await expectBody(seller.getSoldOrder({ path: { order_id: addition.purchase.order.id } }));
  const { invoice } = purchase.order;
  const [back] = refunded.invoice?.refunds ?? [];
  summary.push(
    `invoices of ${invoice?.registration_number}: ${invoice?.tax_amount} tax within ${purchase.order.amount}; given back ${back?.amount} with ${back?.tax_amount} tax`,
  );
}

/** Sells more than one license at its price: several, with a code, more seats, an upgrade, and takes seats back. */
export async function sellMore(): Promise<void> {
  const { notes, pro } = await offerMore();
  const bought = await sellToTeam(notes.slug);
  const addition = await addSeats(bought);
  await upgrade(bought, pro.id);
  await refundSeats(bought, addition);
}
