import type { Needs } from '../../shared/context.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { findShownFiles } from '../../shared/product-files/visible-files.ts';
import type { FoundProduct } from '../../shared/products/product-repository.ts';
import { type ProductImage, PublicProduct, readPublicProduct } from '../../shared/products/public-product.ts';

export const getPublicProductRoute = endpoint({
  operationId: 'getPublicProduct',
  method: 'GET',
  path: '/v1/public/products/{slug}',
  tag: 'Storefront',
  summary: 'Shows a product that is on sale',
  description: 'Under its present slug or a former one; the reply names the present one.',
  audience: 'anyone',
  success: { status: 200, body: PublicProduct },
  cacheSeconds: 60,
  errors: ['product_not_found'],
  handle: ({ params }, c: Needs<'table' | 'slugs' | 'PUBLIC_BASE_URL'>) =>
    readPublicProduct(c, params.slug, (found) => findImages(c, found)),
});

async function findImages({ table, settings }: Needs<'table' | 'PUBLIC_BASE_URL'>, found: FoundProduct): Promise<ProductImage[]> {
  const { pictures } = await findShownFiles(table, found);
  return pictures.map(({ path, ...size }) => ({ url: `${settings.PUBLIC_BASE_URL}${path}`, ...size }));
}
