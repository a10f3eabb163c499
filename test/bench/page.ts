import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { routes as licenseRoutes } from '../../functions/licenses/routes.ts';
import { routes as pageRoutes } from '../../functions/pages/routes.ts';
import { bundleFunctions, discardBundles, startFile } from '../../infra/bundles/bundle-functions.ts';
import { findFunctions } from '../../infra/bundles/find-functions.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { httpEvent } from '../support/http/http-event.ts';
import { sampleProduct } from '../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../support/samples/sample-seller.ts';
import { createLicenseTable } from './licenses/bundles.ts';
import { type Handler, measureInTurns } from './licenses/in-turns.ts';

/** A warm page of a product through the deployed bundle, beside a warm validate: each is one request to the table. */
export async function measurePage(): Promise<Record<string, string | number>[]> {
  const definitions = (await findFunctions()).filter(({ name }) => ['licenses', 'pages'].includes(name));
  const bundles = await bundleFunctions(definitions);
  const { environment, table, productId, leaseless } = await createLicenseTable(definitions.flatMap(({ settingNames }) => settingNames));
  const seller = sampleSeller(sellingSeller);
  const product = sampleProduct({ sellerId: seller.id, slug: 'editor', status: 'approved' });
  await table.transact([
    ...createSellerRepository({ table }).createSeller(seller),
    ...createProductRepository({ table }).createProduct(product),
  ]);
  const load = async (name: string): Promise<Handler> => {
    const folder = bundles.get(name)?.folder ?? '';
    Object.assign(process.env, environment, { LAMBDA_TASK_ROOT: folder, MAIL_QUEUE_URL: 'http://127.0.0.1:9/000000000000/mail' });
    return (await import(pathToFileURL(join(folder, startFile)).href)).handler;
  };
  const headers = { accept: 'text/html', 'accept-encoding': 'gzip', 'accept-language': 'ja' };
  const validate = { product_id: productId, license_key: leaseless };
  const called = {
    page: [await load('pages'), httpEvent(pageRoutes, 'GET', '/p/editor', { headers })],
    validate: [await load('licenses'), httpEvent(licenseRoutes, 'POST', '/v1/licenses/validate', { body: validate })],
  } as const;
  for (const [name, [handler, event]] of Object.entries(called)) {
    const { statusCode } = await handler(event, {});
    if (statusCode !== 200) throw new Error(`${name} answers ${statusCode}.`);
  }
  const rows = [];
  await measureInTurns(called, 1);
  for (const inFlight of [1, 16]) {
    const { page, validate } = await measureInTurns(called, inFlight);
    const ratio = (name: keyof typeof page) => (page[name] / validate[name]).toFixed(2);
    rows.push({
      'in flight': inFlight,
      'p50 ms': page.p50.toFixed(2),
      'p50, of a validate': ratio('p50'),
      'at most': 2,
      'CPU, of a validate': ratio('cpu'),
      'at most ': 2,
    });
  }
  discardBundles(bundles);
  return rows;
}
