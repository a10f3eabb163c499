import { expect, test } from '@jest/globals';
import { sell } from '../../support/scenes/sold-stock.ts';
import { offerProduct } from '../../support/scenes/stack-harness.ts';
import { admin, seller, sessionOf, stack } from './desk.ts';

/** Discounts, from their making to checkouts with their codes, with the roles of the functions that do it. */
export function describeDiscounts(): void {
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
}
