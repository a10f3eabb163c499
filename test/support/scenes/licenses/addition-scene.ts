import { mintCompletionToken } from '../../../../shared/buyer-access/completion-token.ts';
import { newId, type OrderId } from '../../../../shared/ids.ts';
import type { Order } from '../../../../shared/orders/order.ts';
import { getOrder, replaceOrder } from '../../../../shared/orders/order-repository.ts';
import type { ProductRecord } from '../../../../shared/products/product.ts';
import { addProduct, getProduct, replaceProduct } from '../../../../shared/products/product-repository.ts';
import type { SellerRecord } from '../../../../shared/sellers/seller.ts';
import { sampleProduct } from '../../samples/sample-product.ts';
import { startSalesHarness } from '../sales-harness.ts';

/** Buyers who have a license, and buy more for it. */
export async function startAdditionScene() {
  const harness = await startSalesHarness();
  const { table, tokenKeys } = harness;

  const tokenOf = (orderId: OrderId) =>
    mintCompletionToken({ orderId, use: 'mail', expiresAt: new Date(Date.now() + 3600_000) }, new Date(), tokenKeys);

  /** The order as it is, with this changed. */
  async function changeOrder(orderId: OrderId, change: (order: Order) => Partial<Order>): Promise<Order> {
    const order = await getOrder(table, orderId);
    await table.write(replaceOrder(order, { ...order, ...change(order) }));
    return getOrder(table, orderId);
  }

  async function changeProduct(productId: ProductRecord['id'], change: Partial<ProductRecord>): Promise<void> {
    const product = await getProduct(table, productId);
    await table.transact(replaceProduct(product, { ...product, ...change, revision: product.revision + 1 }));
  }

  return {
    ...harness,
    tokenOf,
    changeOrder,
    changeProduct,

    /** A purchase of a product that was just put on sale. */
    async buy(
      fields: Partial<ProductRecord> = {},
      { quantity = 1, locale = 'en', ...seller }: Partial<SellerRecord> & { quantity?: number; locale?: string } = {},
    ) {
      const product = await harness.offer({ maxQuantity: quantity, ...fields }, seller);
      const checkout = { body: { quantity, locale, buyer_email: 'buyer@example.com' } };
      const { json } = await harness.call('POST', `/v1/public/products/${product.slug}/checkout`, checkout);
      await harness.pay(json.checkout_url);
      const { order, license } = await harness.show(json.order_id);
      return { product, order, license: license!, token: await tokenOf(order.id) };
    },

    /** Another product of the seller, which owners of the first one may upgrade to. */
    async offerUpgrade(from: ProductRecord, priceAmount: number, fields: Partial<ProductRecord> = {}): Promise<ProductRecord> {
      const upgradesFrom = [{ productId: from.id, priceAmount }];
      const product = sampleProduct({ id: newId('product'), sellerId: from.sellerId, status: 'approved', upgradesFrom, ...fields });
      await table.transact(addProduct(product));
      return product;
    },

    /** As a control of the stand-in: what happens at the provider alone, without its event. */
    async atProvider(checkoutUrl: string, what: 'pay' | 'decline' | 'expire'): Promise<void> {
      const session = new URL(checkoutUrl).pathname.split('/').at(-1);
      await harness.fakeProvider.turn(`/test/checkout/${session}/${what}`, what === 'expire' ? {} : { email: 'payer@example.com' });
    },

    add: (token: unknown, body: object = { kind: 'seats' }) =>
      harness.call('POST', '/v1/purchases/additions', { body: { token, ...body } }),
    upgrade: (token: unknown, productId: unknown) =>
      harness.call('POST', '/v1/purchases/upgrades', { body: { token, product_id: productId } }),
    complete: (token: string) => harness.call('POST', '/v1/purchases/complete', { body: { token } }),
  };
}

export type AdditionScene = Awaited<ReturnType<typeof startAdditionScene>>;
