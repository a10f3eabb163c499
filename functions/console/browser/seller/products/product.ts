/** Where the screens of a product are. */
export const productPath = (productId: string): string => `/console/products/${encodeURIComponent(productId)}`;

/** Whether buyers see something else of it than what its seller last saved. */
export const hasLive = ({ status }: { status: string }): boolean => status === 'approved' || status === 'published';
