import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { productUpsertRequest } from '../../shared/products/product.ts';
import type { ProductService } from '../../shared/products/product-service.ts';
import { createProduct } from './create-product.ts';
import { getProduct } from './get-product.ts';
import { listProducts } from './list-products.ts';
import { publishProduct } from './publish-product.ts';
import { submitProduct } from './submit-product.ts';
import { updateProduct } from './update-product.ts';

export interface ProductServices {
  products: ProductService;
  /** ProductUpsertRequest with the currencies of the settings. */
  upsertRequest: ReturnType<typeof productUpsertRequest>;
}

export const routes: readonly Endpoint<ProductServices>[] = [
  createProduct,
  listProducts,
  getProduct,
  updateProduct,
  publishProduct,
  submitProduct,
];
