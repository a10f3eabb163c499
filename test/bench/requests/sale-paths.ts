import { newId } from '../../../shared/ids.ts';
import type { TestReply } from '../../support/http/http-event.ts';
import { type Path, type Taken, takes } from './path.ts';
import { openShop, type Shop } from './shop.ts';

/** What buyers, the payment provider and the queues ask, from the page of a product to its download. Nothing counts callers: a limited path takes one request more. */
export async function openSalePaths() {
  const shop = await openShop();
  return { client: shop.client, paths: [...pagePaths(shop), ...orderPaths(shop), ...purchasePaths(shop)], stop: shop.stop };
}

const answerOf = ({ status, json }: TestReply) => [status, json?.code ?? json?.order?.status].filter(Boolean).join(' ');

function pagePaths({ slug, slugWithFile, pageCall, sales }: Shop): Path[] {
  const offer = `/v1/public/products/${slug}`;
  const page = (name: string, budget: Taken, target: string) => ({
    name,
    budget,
    go: async () => answerOf(await pageCall('GET', target)),
  });
  let etag = '';
  return [
    {
      name: 'public product, first of an instance',
      budget: takes(2, { reads: 4 }),
      async go() {
        const reply = await sales.call('GET', offer);
        etag = reply.headers['etag'] ?? '';
        return answerOf(reply);
      },
    },
    { name: 'public product', budget: takes(1, { reads: 3 }), go: async () => answerOf(await sales.call('GET', offer)) },
    {
      // Only the product says whether it is still public.
      name: 'public product, with its ETag',
      budget: takes(1, { reads: 3 }),
      go: async () => answerOf(await sales.call('GET', offer, { headers: { 'If-None-Match': etag } })),
    },
    page('page of a product, first of an instance', takes(2, { reads: 5 }), `/p/${slug}`),
    page('page of a product', takes(1, { reads: 4 }), `/p/${slug}`),
    page('page of a product with files, first of an instance', takes(3, { reads: 6 }), `/p/${slugWithFile}`),
    page('page of a product with files', takes(2, { reads: 5 }), `/p/${slugWithFile}`),
    page('order form', takes(1, { reads: 4 }), `/p/${slug}/checkout`),
    page('page of a purchase, before its script asks', takes(0), '/complete'),
  ];
}

function orderPaths({ slug, sales, tokenOf, work, sweep }: Shop): Path[] {
  let checkout = { order_id: newId('order'), checkout_url: '' };
  let event: unknown;
  const headers = { 'Idempotency-Key': 'one-order-of-this-buyer' };
  const order = (name: string, budget: Taken, options = {}, call = sales.call): Path => ({
    name,
    budget,
    async go() {
      const reply = await call('POST', `/v1/public/products/${slug}/checkout`, options);
      checkout = reply.json;
      return answerOf(reply);
    },
  });
  const receive = async () => `processed: ${(await sales.receiveEvent('platform', event)).processed}`;
  const complete = async () =>
    answerOf(await sales.call('POST', '/v1/purchases/complete', { body: { token: await tokenOf(checkout.order_id) } }));
  return [
    order('checkout, first of an instance', takes(4, { reads: 4, writes: 9 }), {}, sales.open()),
    order('checkout, with a key', takes(4, { reads: 4, writes: 11 }), { headers }),
    order('checkout, again with its key', takes(3, { reads: 5 }), { headers }),
    order('checkout', takes(3, { reads: 3, writes: 9 })),
    { name: 'purchase, not paid yet', budget: takes(1, { reads: 1 }), go: complete },
    {
      name: 'webhook of a payment',
      budget: takes(1, { writes: 5 }),
      async prepare() {
        event = await sales.paidEvent(checkout.checkout_url);
      },
      go: receive,
    },
    { name: 'webhook of a payment, again', budget: takes(1), go: receive },
    { name: 'worker that makes the license', budget: takes(6, { reads: 4, writes: 42 }), go: () => work('projector', 'project-event') },
    { name: 'worker that mails the link', budget: takes(5, { reads: 3, writes: 8 }), go: () => work('mailer', 'send-mail') },
    {
      name: 'worker of an event that no endpoint hears',
      prepare: sweep,
      budget: takes(3, { reads: 1, writes: 5 }),
      go: () => work('publisher', 'publish-event'),
    },
    // It finds the product without an index of files, and makes it.
    { name: 'purchase, paid, first of its product', budget: takes(9, { reads: 10, writes: 1 }), go: complete },
    { name: 'purchase, paid', budget: takes(6, { reads: 8 }), go: complete },
  ];
}

function purchasePaths({ sales, bought, fileId, tokenOf }: Shop): Path[] {
  const ask = (name: string, budget: Taken, path: string): Path => ({
    name,
    budget,
    go: async () => answerOf(await sales.call('POST', `/v1/purchases/${path}`, { body: { token: await tokenOf(bought) } })),
  });
  return [
    ask('purchase, paid, with a file', takes(7, { reads: 9 }), 'complete'),
    ask('devices of a purchase', takes(5, { reads: 5 }), 'devices'),
    ask('download link', takes(6, { reads: 7, writes: 7 }), `files/${fileId}/download-intent`),
    ask('replacement of a key', takes(11, { reads: 12, writes: 18 }), 'replace-key'),
  ];
}
