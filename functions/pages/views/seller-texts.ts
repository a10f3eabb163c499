import * as z from 'zod/mini';
import { disclosedFields } from '../../../shared/products/fields.ts';
import type { ProductOffer } from '../offer.ts';

const { supportEmail: _, ...disclosedTexts } = disclosedFields;
const names = ['name', 'description', ...z.keyof(z.object(disclosedTexts)).options] as const;

/** Everything that the seller wrote about the product: together it tells the language of the shorter texts. */
export const sellerTexts = ({ product, sellerName }: Pick<ProductOffer, 'product' | 'sellerName'>): string[] =>
  [sellerName, ...names.map((name) => product[name])].filter((text) => text !== undefined);
