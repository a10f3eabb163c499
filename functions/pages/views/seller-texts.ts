import type { Offer } from '../offer.ts';

/** Everything that the seller wrote about the product: together it tells the language of the shorter texts. */
export function writtenBySeller({ product, sellerName }: Offer): string[] {
  const { name, description, refundPolicy, softwareOperatingEnvironment } = product;
  const { tokushohoSellerName, tokushohoContact, tokushohoAddress } = product;
  const texts = [name, sellerName, description, refundPolicy, softwareOperatingEnvironment];
  return [...texts, tokushohoSellerName, tokushohoContact, tokushohoAddress].filter((text) => text !== undefined);
}
