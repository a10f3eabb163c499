import { newId } from '../../../shared/ids.ts';
import type { ProductRecord } from '../../../shared/products/product.ts';

/** A product in draft, as the table holds it. */
export function sampleProduct(fields: Partial<ProductRecord> = {}): ProductRecord {
  const id = fields.id ?? newId('product');
  const slug = fields.slug ?? id.toLowerCase().replace('_', '-');
  return {
    id,
    sellerId: newId('seller'),
    slug,
    slugs: [slug],
    name: slug,
    description: 'Edits photos.',
    status: 'draft',
    priceAmount: 4800,
    currency: 'JPY',
    supportEmail: 'help@example.com',
    refundPolicy: 'Within 14 days.',
    softwareOperatingEnvironment: 'Windows 11',
    forbiddenCategoryAcknowledged: false,
    licenseIssuanceMode: 'generated_server_validated',
    licenseKeyPrefix: 'LIC1',
    activationLimit: 1,
    features: [],
    deactivationAllowed: true,
    offlineDays: 14,
    offlineFileDays: 0,
    updatesDays: 36_500,
    maxQuantity: 1,
    additionPrices: {},
    upgradesFrom: [],
    taxPercent: 10,
    approvedBefore: false,
    createdAt: '2026-01-31T09:00:00.000Z',
    updatedAt: '2026-01-31T09:00:00.000Z',
    revision: 1,
    ...fields,
  };
}
