import { createPreviewRoute } from './create-preview.ts';
import { createProductRoute } from './create-product.ts';
import { getProductRoute } from './get-product.ts';
import { listProductsRoute } from './list-products.ts';
import { publishProductRoute } from './publish-product.ts';
import { submitProductRoute } from './submit-product.ts';
import { updateProductRoute } from './update-product.ts';

export const routes = [
  createProductRoute,
  listProductsRoute,
  getProductRoute,
  updateProductRoute,
  publishProductRoute,
  submitProductRoute,
  createPreviewRoute,
];
