import { routes } from '../../functions/pages/routes.ts';
import { addProduct } from '../../shared/products/product-repository.ts';
import { addSeller } from '../../shared/sellers/seller-repository.ts';
import { httpEvent } from '../support/http/http-event.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../support/samples/sample-seller.ts';
import { measureBesideValidate } from './beside-validate.ts';

/** A warm page of a product, beside a warm validate: each is one request to the table. */
export const measurePage = () =>
  measureBesideValidate('pages', { p50: 2, cpu: 2 }, async ({ table }) => {
    const seller = sampleSeller(sellingSeller);
    const product = sampleProduct({ sellerId: seller.id, slug: 'editor', status: 'approved' });
    await table.transact([...addSeller(seller), ...addProduct(product)]);
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip', 'accept-language': 'ja' };
    return httpEvent(routes, 'GET', '/p/editor', { headers });
  });
