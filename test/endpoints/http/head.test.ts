import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { routes as docsRoutes } from '../../../functions/docs/routes.ts';
import { answersHead } from '../../../shared/http/endpoint.ts';
import { createReviewPreview } from '../../../shared/products/previews/preview-service.ts';
import { addProduct } from '../../../shared/products/product-repository.ts';
import { addSeller } from '../../../shared/sellers/seller-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import { composeDocs } from '../../support/http/docs-function.ts';
import { serveEveryFunction } from '../../support/http/every-function.ts';
import { createCaller, type TestReply } from '../../support/http/http-event.ts';
import { httpFunctions } from '../../support/http/service.ts';
import { consoleAssets, pageAssets } from '../../support/page-assets.ts';
import { sampleProduct } from '../../support/samples/sample-product.ts';
import { sampleSeller, sellingSeller } from '../../support/samples/sample-seller.ts';

const cases = httpFunctions.flatMap(({ name, routes }) => routes.filter(answersHead).map(({ path }) => [path, name] as const));

describe('what is read', () => {
  const product = sampleProduct({ status: 'approved' });
  const callers = new Map<string, ReturnType<typeof createCaller>>();
  let [docsAsset, previewed] = ['', ''];
  beforeAll(async () => {
    const { table, tableName } = await createTestTable();
    const seller = sampleSeller({ ...sellingSeller, id: product.sellerId });
    await table.transact([...addSeller(seller), ...addProduct(product)]);
    for (const { name, handler, endpoints } of await serveEveryFunction(tableName)) {
      callers.set(name, createCaller(handler, endpoints));
    }
    const { previewUrl } = await createReviewPreview(
      { table, now: () => new Date(), randomBytes, settings: { PUBLIC_BASE_URL: '' } },
      product.id,
      {},
    );
    previewed = previewUrl;
    const docs = createCaller(await composeDocs(), docsRoutes);
    callers.set('docs', docs);
    docsAsset = /\/docs\/([^"]+\.js)"/.exec((await docs('GET', '/docs')).text)?.[1] ?? '';
  });

  const present = (path: string) =>
    path
      .replace('{slug}', product.slug)
      .replace('/preview/{token}', previewed)
      .replace('/console/assets/{name}', consoleAssets.pathOf('console.css'))
      .replace('/console/{path+}', '/console/products')
      .replace('/assets/{name}', pageAssets.pathOf('buyer.css'))
      .replace('{asset}', docsAsset)
      .replace('{client_file}', 'license-client.ts')
      .replace(/\{\w+\}/, 'unknown');
  const absent = (path: string) => path.replace(/\{\w+\+?\}/, 'unknown');
  const seen = ({ status, headers: { 'x-request-id': id, ...headers } }: TestReply) => ({ status, headers, hasId: id !== undefined });

  test.each(cases)('%s answers HEAD as GET without the body, there or not, compressed or not', async (path, name) => {
    const call = callers.get(name)!;
    for (const target of [present(path), absent(path)]) {
      for (const headers of [{}, { accept: 'text/html', 'accept-encoding': 'gzip', 'accept-language': 'ja' }] as Record<string, string>[]) {
        const [get, head] = [await call('GET', target, { headers }), await call('HEAD', target, { headers })];
        expect(get.text).not.toBe('');
        expect([head.text, seen(head)]).toEqual(['', seen(get)]);
        const etag = get.headers['etag'];
        for (const method of etag === undefined ? [] : ['GET', 'HEAD']) {
          const again = await call(method, target, { headers: { ...headers, 'if-none-match': etag! } });
          expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', etag]);
        }
      }
    }
  });

  test('is there for each path, but for pictures, which have a seller’s file behind it, feeds, which want a product, readiness without queues, and the issuer’s addresses without issuer', async () => {
    const missing = [];
    for (const [path, name] of cases.filter(
      ([each]) => !/^\/(images|v1\/updates|preview\/\{token\})\//.test(each) && !['/readyz', '/console/config.json'].includes(each),
    )) {
      if ((await callers.get(name)!('HEAD', present(path))).status !== 200) missing.push(path);
    }
    expect(missing).toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(10);
  });
});
