import { expect, test } from '@jest/globals';
import { beginSale, sell } from '../../support/scenes/sold-stock.ts';
import { eventually, offerProduct } from '../../support/scenes/stack-harness.ts';
import { admin, anyone, codeOf, seller, sessionOf, stack } from './desk.ts';

const draft = {
  name: 'Sketchbook',
  description: 'Draws.',
  price_amount: 5500,
  currency: 'JPY',
  support_email: 'a@b.example',
  refund_policy: 'None.',
  software_operating_environment: 'Linux',
};

/** What is sold besides a license at its price, and what is told of it, with the roles of the functions that do it. */
export function describeSales(): void {
  const list = async (path: string) => (await seller('GET', path)).items;

  test('a seller makes discounts, and ends one', async () => {
    const { id } = await offerProduct(stack, { name: 'Marker' });
    const path = `/v1/products/${id}/discounts`;
    const made = await seller('POST', path, { code: 'first', percent_off: 30, max_redemptions: 5 });
    await seller('POST', path, { code: 'second', amount_off: 1 });
    await seller('POST', `${path}/${made.id}/end`);
    expect((await list(path)).map(({ code }: { code: string }) => code)).toEqual(['SECOND', 'FIRST']);
    const query = `orders?discount_id=${made.id}`;
    expect(await list(`/v1/${query}`)).toEqual([]);
    expect(await admin('GET', `/v1/admin/${query}`)).toMatchObject({ items: [] });
  });

  test('a checkout that the provider refuses takes nothing of a code, in the API and in the form, and one that is paid redeems it', async () => {
    const code = 'FEW';
    const offer = async (fields: Record<string, unknown>) => {
      const product = await offerProduct(stack, fields);
      await seller('POST', `/v1/products/${product.id}/discounts`, { code, amount_off: 1, max_redemptions: 3 });
      return product;
    };
    const counted = async ({ id }: { id: string }) => {
      const [{ reserved, redeemed }] = await list(`/v1/products/${id}/discounts`);
      return { reserved, redeemed };
    };
    const order = ({ slug }: { slug: string }) =>
      stack.call('POST', `/v1/public/products/${slug}/checkout`, {
        body: { discount_code: code },
        headers: { 'Idempotency-Key': 'k-0123456789abcdef' },
      });
    const form = async ({ slug }: { slug: string }) => {
      const url = `${stack.baseUrl}/p/${encodeURIComponent(slug)}/checkout`;
      const page = await (await fetch(`${url}?code=${code}`)).text();
      const fields = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
      const body = new URLSearchParams([...fields].map(([, name = '', value = '']): [string, string] => [name, value]));
      return () => fetch(url, { method: 'POST', headers: { Origin: stack.baseUrl }, body, redirect: 'manual' });
    };

    const cheap = await offer({ name: 'Sticker', price_amount: 10 });
    await expect(order(cheap)).rejects.toThrow('price_not_chargeable');
    expect((await (await form(cheap))()).status).toBe(400);
    expect(await counted(cheap)).toEqual({ reserved: 0, redeemed: 0 });

    const product = await offer({ name: 'Poster' });
    const send = await form(product);
    const [first, second] = [await send(), await send()];
    expect([first.status, second.headers.get('location')]).toEqual([303, first.headers.get('location')]);
    const opened = await order(product);
    expect(await order(product)).toEqual(opened);
    expect(await counted(product)).toEqual({ reserved: 2, redeemed: 0 });

    const session = sessionOf(opened.checkout_url);
    await sell(stack, product.slug, { orderId: opened.order_id, session, email: 'buys-a-poster@example.com' });
    expect(await counted(product)).toEqual({ reserved: 1, redeemed: 1 });
  });

  const ask = (path: string, body: object) => anyone('POST', `/v1${path}`, body);
  const show = (token: string) => ask('/purchases/complete', { token });
  /** Pays; resolves to the token of the redirect, once it shows the purchase, with its license if there is to be one. */
  async function payFor({ checkout_url: url }: { checkout_url: string }, isLicensed = false): Promise<string> {
    const paid = await stack.provider(`/test/checkout/${sessionOf(url)}/pay`, { email: 'comes-back@example.com' });
    const token = /#token=([\w.-]+)/.exec(paid.redirect_url)?.[1] ?? '';
    return eventually('the purchase shows', 90, async () => {
      const shown = await show(token).catch(() => undefined);
      return shown && (shown.license?.license_key || !isLicensed) ? token : undefined;
    });
  }

  test('a buyer adds seats and updates to a license, and upgrades it once, to what its first payment holds', async () => {
    const base = await offerProduct(stack, { name: 'Tuner', updates_days: 100, addition_prices: { seat: 500, updates: 700 } });
    const upgradeFor = (price_amount: number) => ({ upgrades_from: [{ product_id: base.id, price_amount }] });
    const pro = await offerProduct(stack, { name: 'Tuner Pro', ...upgradeFor(900) });
    const tooCheap = await offerProduct(stack, { name: 'Tuner Mini', ...upgradeFor(10) });
    const soldOut = await offerProduct(stack, { name: 'Tuner Plug-in', license_issuance_mode: 'imported_csv', ...upgradeFor(900) });
    const first = await ask(`/public/products/${base.slug}/checkout`, {});
    const token = await payFor(first, true);
    const shown = await show(token);
    expect(shown.offers).toMatchObject({ seat: { unit_amount: 500 }, updates: { amount: 700, days: 100 } });
    const offered = async () => (await show(token)).offers.upgrades.map((one: { product_id: string }) => one.product_id).sort();
    expect(await offered()).toEqual([pro.id, tooCheap.id].sort());

    expect((await show(await payFor(await ask('/purchases/additions', { token, kind: 'seats', quantity: 2 })))).order.kind).toBe('seats');
    await payFor(await ask('/purchases/additions', { token, kind: 'updates' }));
    await eventually('the license has more', 60, async () => {
      const { license } = await show(token);
      return (license.activation_limit === 5 && license.updates_until > shown.license.updates_until) || undefined;
    });

    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: tooCheap.id }))).toBe('price_not_chargeable');
    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: soldOut.id }))).toBe('checkout_not_available');
    const upgrade = await ask('/purchases/upgrades', { token, product_id: pro.id });
    expect((await show(await payFor(upgrade))).license).toMatchObject({ activation_limit: 3, status: 'active' });
    expect(await codeOf(ask('/purchases/upgrades', { token, product_id: pro.id }))).toBe('already_upgraded');
    expect(await offered()).toEqual([tooCheap.id]);

    const isHeld = async () => {
      const { attention } = await seller('GET', '/v1/overview');
      return attention.some(
        (one: { kind: string; target_id: string }) => one.kind === 'paid_but_held' && one.target_id === upgrade.order_id,
      );
    };
    const { id: dispute } = await stack.provider(`/test/payments/${sessionOf(first.checkout_url)}/dispute`);
    await eventually('the upgrade is held', 60, async () => (await isHeld()) || undefined);
    await stack.provider(`/test/disputes/${dispute}/close`, { status: 'won' });
    await eventually('the upgrade is free again', 60, async () => !(await isHeld()) || undefined);
  });

  /** Buys under the address; resolves to the order. */
  async function buy(email: string): Promise<string> {
    const { slug } = await offerProduct(stack, { name: `Mailed to ${email.split('@')[0]}` });
    const { orderId } = await sell(stack, slug, { ...(await beginSale(stack, slug)), email });
    await stack.mailTo(email);
    return orderId;
  }

  /** What both desks show of the mail, once it is in this state. */
  const inState = (id: string, state: string) =>
    eventually(`the mail of ${id} is ${state}`, 60, async () => {
      const forSeller = (await seller('GET', `/v1/orders/${id}`)).completion_mail;
      const forAdmin = (await admin('GET', `/v1/admin/orders/${id}`)).completion_mail;
      // The report may come in between.
      if (forSeller?.state !== state || forAdmin?.state !== state) return undefined;
      expect(forAdmin).toEqual(forSeller);
      return forSeller;
    });

  test('a mail that bounces is shown on the order to seller and admin, who have the address corrected', async () => {
    const id = await buy('bounce@simulator.amazonses.com');
    expect(await inState(id, 'bounced')).toMatchObject({ mail_id: 'issuance', bounce: 'permanent', address_suppressed: true });
    expect(await seller('POST', `/v1/orders/${id}/resend-link`)).toMatchObject({
      last_mail: { state: 'bounced', address_suppressed: true },
    });
    await admin('POST', `/v1/admin/orders/${id}/buyer-email`, { buyer_email: 'right@example.com' });
    await stack.mailTo('right@example.com');
    expect(await inState(id, 'sent')).toMatchObject({ address_suppressed: false });
    expect(stack.output()).not.toContain('bounce@');
  });

  test('a mail that its buyer complains of is shown as such', async () => {
    expect(await inState(await buy('complaint@simulator.amazonses.com'), 'complained')).toMatchObject({ address_suppressed: true });
  });

  test('a product upgrades what its live terms name, as a draft and by reviews', async () => {
    const [first, second] = [await seller('POST', '/v1/products', draft), await seller('POST', '/v1/products', { ...draft, name: 'Pad' })];
    const from = (...ids: string[]) => ({ upgrades_from: ids.map((product_id) => ({ product_id, price_amount: 700 })) });
    const { id } = await offerProduct(stack, { ...draft, name: 'Studio', ...from(first.id) });
    const edit = (fields: object) => seller('PATCH', `/v1/products/${id}`, { ...draft, name: 'Studio', ...fields });
    expect((await edit(from(second.id))).pending.changes).toMatchObject(from(second.id));
    await seller('POST', `/v1/products/${id}/submit-review`);
    const reviewed = await admin('PATCH', `/v1/admin/products/${id}/review`, { decision: 'approve' });
    expect(reviewed).toMatchObject(from(second.id));
    await seller('POST', `/v1/products/${id}/publish`, { publish: false });
    expect(await edit(from(first.id))).toMatchObject({ status: 'draft', ...from(first.id) });
  });

  test('what a seller with a number sells has an invoice, which states what was given back', async () => {
    await seller('PATCH', '/v1/sellers/me', { invoice_registration_number: 'T1234567890123' });
    const product = await offerProduct(stack, { ...draft, name: 'Crayon', tax_percent: 8 });
    const { orderId, session } = await sell(stack, product.slug);
    await seller('PATCH', '/v1/sellers/me', { invoice_registration_number: '' });
    await stack.provider(`/test/payments/${session}/refund`, { amount: 1080 });
    const invoice = await eventually('the invoice states the refund', 60, async () => {
      const shown = await seller('GET', `/v1/orders/${orderId}`);
      return shown.invoice?.refunds ? shown.invoice : undefined;
    });
    expect(invoice).toMatchObject({ registration_number: 'T1234567890123', tax_percent: 8, tax_amount: 407 });
    expect(invoice.refunds).toMatchObject([{ amount: 1080, tax_amount: 80 }]);
  });
}
