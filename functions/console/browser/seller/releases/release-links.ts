export const productHref = (productId: string): string => `/console/products/${encodeURIComponent(productId)}`;
export const releasesHref = (productId: string): string => `${productHref(productId)}/releases`;
export const releaseHref = (productId: string, version: string): string => `${releasesHref(productId)}/${encodeURIComponent(version)}`;
