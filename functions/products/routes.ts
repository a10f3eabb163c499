import { createPreview } from './create-preview.ts';
import { createProduct } from './create-product.ts';
import { getProduct } from './get-product.ts';
import { listProducts } from './list-products.ts';
import { publishProduct } from './publish-product.ts';
import { submitProduct } from './submit-product.ts';
import { updateProduct } from './update-product.ts';

export const routes = [createProduct, listProducts, getProduct, updateProduct, publishProduct, submitProduct, createPreview];
