/**
 * The operations whose bodies a form checks before it sends them: a script has the descriptions of these bodies alone.
 * What updates something is checked as what creates it.
 */
export const checkedOperations = [
  'createApiToken',
  'createDiscount',
  'createProduct',
  'createSeller',
  'publishRelease',
  'saveRelease',
  'updateOwnSeller',
  'yankRelease',
  'correctOrderEmail',
  'decideEmailRequest',
  'reviewProduct',
  'reviewProductFile',
  'reviewRelease',
  'reviewSeller',
  'revokeLicense',
  'searchAllOrders',
] as const;
export type CheckedId = (typeof checkedOperations)[number];
