import type { Table } from '../../../shared/db/table.ts';
import { type IdKind, newId } from '../../../shared/ids.ts';
import { createOrder } from '../../../shared/orders/order-repository.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { addEndpoint } from '../../../shared/webhook-endpoints/endpoints/webhook-endpoint-repository.ts';
import { issueTestLicense, keyringOf } from '../samples/licenses.ts';
import { sampleProduct } from '../samples/sample-product.ts';
import { sampleSeller } from '../samples/sample-seller.ts';
import { sampleOrder } from '../scenes/projection-harness.ts';

const idKinds: readonly IdKind[] = ['file', 'batch', 'activation', 'release', 'token', 'discount'];

/** Puts an approved seller, a product on sale an order with its license and a webhook endpoint on the table; what each path parameter may name, by parameter. */
export async function addKnownTargets(table: Table, ownerUserId: string): Promise<Record<string, string>> {
  const seller = sampleSeller({ ownerUserId, internalReviewStatus: 'approved' });
  const product = sampleProduct({ sellerId: seller.id, status: 'approved', slug: 'on-sale' });
  const { license } = await issueTestLicense(table, { productId: product.id, sellerId: seller.id, peppers: keyringOf('1') });
  const order = sampleOrder({
    ...(license.orderId && { id: license.orderId }),
    productId: product.id,
    sellerId: seller.id,
    licenseId: license.id,
  });
  await table.transact(createOrder(order));
  await table.transact(addSeller(seller));
  await table.transact(addProduct(product));
  const endpointId = newId('endpoint');
  const at = new Date().toISOString();
  const endpoint = { id: endpointId, sellerId: seller.id, url: 'https://hooks.example.com/', enabled: true, sealedSecret: 'e1.sealed' };
  await table.transact(addEndpoint({ ...endpoint, createdAt: at, updatedAt: at, revision: 1 }));
  const known = {
    seller_id: seller.id,
    product_id: product.id,
    slug: product.slug,
    license_id: license.id,
    order_id: order.id,
    endpoint_id: endpointId,
    proof: '-',
    channel: 'stable',
    platform: 'windows',
    arch: 'x64',
    file_name: 'releases.win.json',
  };
  // Of whatever else a path may name there is none.
  return { ...Object.fromEntries(idKinds.map((kind) => [`${kind}_id`, newId(kind)])), ...known };
}
