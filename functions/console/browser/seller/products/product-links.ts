/** Where the screens of a product are. */
export const productPath = (productId: string): string => `/console/products/${encodeURIComponent(productId)}`;
