import { expect } from '@jest/globals';
import { getProduct, replaceProduct } from '../../../../shared/products/product-repository.ts';
import { createCatalogHarness, productRequest } from '../catalog-harness.ts';

type Json = Record<string, unknown>;

/** A seller who edits products that are on sale, beside an admin who reviews them and the public that reads them. */
export async function openProductDesk() {
  const catalog = await createCatalogHarness();
  const { call, seller } = await catalog.newSeller();
  let names = 0;

  const read = async (id: string) => (await call('GET', `/v1/products/${id}`)).json;
  const submit = (id: string) => call('POST', `/v1/products/${id}/submit-review`);
  const review = (id: string, body: Json, headers = {}) => catalog.adminCall('PATCH', `/v1/admin/products/${id}/review`, { body, headers });
  const patch = async (id: string, fields: Json) => {
    const { name } = await read(id);
    return call('PATCH', `/v1/products/${id}`, { body: { ...productRequest, name, ...fields } });
  };

  /** A new product on sale, as its seller sees it. No way leads to published, so that is written. */
  async function offered(fields: Json = {}, status = 'approved', by = call) {
    names += 1;
    const { id } = (await by('POST', '/v1/products', { body: { ...productRequest, name: `Offered ${names}`, ...fields } })).json;
    await by('POST', `/v1/products/${id}/submit-review`);
    expect((await review(id, { decision: 'approve' })).json.status).toBe('approved');
    if (status === 'published') {
      const product = await getProduct(catalog.table, id);
      await catalog.table.transact(replaceProduct(product, { ...product, status, revision: product.revision + 1 }));
    }
    catalog.pass(60);
    return (await by('GET', `/v1/products/${id}`)).json;
  }

  return {
    catalog,
    call,
    seller,
    read,
    submit,
    review,
    patch,
    offered,
    withdraw: (id: string) => call('POST', `/v1/products/${id}/publish`, { body: { publish: false } }),
    /** What the public gets at a slug. */
    shown: async (slug: string) => (await catalog.publicCall('GET', `/v1/public/products/${slug}`)).json,

    /** A new product on sale with a pending revision of this status, which has a price of its own. */
    async edited(pendingStatus: string, status = 'approved', fields: Json = {}) {
      const { id } = await offered({}, status);
      await patch(id, { price_amount: 9900, ...fields });
      if (pendingStatus !== 'draft') await submit(id);
      if (pendingStatus === 'rejected') await review(id, { decision: 'reject', rejection_reason: 'Too dear.' });
      catalog.pass(60);
      const product = await read(id);
      expect([product.status, product.pending.status]).toEqual([status, pendingStatus]);
      return product;
    },
  };
}

export type ProductDesk = Awaited<ReturnType<typeof openProductDesk>>;
