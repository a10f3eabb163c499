import { fieldWords } from '../../../../shared/products/fields.ts';
import { wireName } from '../../../../shared/wire.ts';
import { exampleIds, exampleSha256, exampleTime, type FieldTexts, ofEach } from './field-texts.ts';

const exampleInvoiceNumber = 'T1234567890123';

/** The fields of products. */
export const productFieldTexts: FieldTexts = {
  ...Object.fromEntries(
    Object.entries(fieldWords).map(([name, { description, example }]) => [
      wireName(name),
      { text: description, ...(example !== undefined && { example }) },
    ]),
  ),
  ...ofEach(['Product', 'PublicProduct', 'PurchaseCompletionPageResponse.product'], {
    id: { text: 'Its id.', example: exampleIds.product },
  }),
  'PublicProduct.images.url': {
    text: 'Where the picture is. What is there never changes; it is gone once the picture is taken down.',
    example: `https://licenses.example.com/images/${exampleIds.product}/${exampleIds.file}/${exampleSha256}.png`,
  },
  'PublicProduct.images.width': { text: 'In pixels.', example: 1280 },
  'PublicProduct.images.height': { text: 'In pixels.', example: 800 },
  invoice: {
    text: 'What its receipt states as a qualified invoice of Japan; absent of orders in other currencies, of free ones, and of sellers without a number.',
  },
  'Invoice.registration_number': { text: 'The seller’s number as an issuer of qualified invoices.', example: exampleInvoiceNumber },
  'Invoice.seller_name': { text: 'Who sold it, as the invoice names the issuer.', example: 'Example Shop K.K.' },
  'Invoice.tax_percent': { text: 'The rate of the consumption tax within the total.', example: 10 },
  'Invoice.tax_amount': { text: 'The tax within the total, in yen, rounded down once.', example: 436 },
  'Invoice.operator_name': {
    text: 'Who issues the invoice in the seller’s place; absent where the seller does.',
    example: 'Example Operator K.K.',
  },
  'Invoice.operator_registration_number': { text: 'The number of who issues it in the seller’s place.', example: 'T9876543210987' },
  'Invoice.refunds': { text: 'What was given back, as one entry; absent while nothing was.' },
  'Invoice.refunds.amount': { text: 'By refunds and lost disputes together, at most the total.', example: 1200 },
  'Invoice.refunds.tax_amount': { text: 'The tax within that amount, on its own.', example: 109 },
  'Invoice.refunds.refunded_at': { text: 'When the last of it was given back.', example: '2026-02-14T09:00:00.000Z' },
  ...ofEach(['Product', 'ProductUnderReview'], { status: { text: 'Where the product stands.', example: 'approved' } }),
  'Product.url': {
    text: 'Its public page. Whoever opens it sees the product while it and its seller are approved.',
    example: 'https://licenses.example.com/p/photo-editor',
  },
  next_steps: {
    text: 'What is the seller’s to do now, in this order: apply (again), connect payments, make a product, give it a file or codes, hand it in. Empty when there is nothing to do but wait or sell. Shown to the owner alone.',
    example: ['payments', 'product'],
  },
  on_sale: { text: 'Whether it sells now: nothing is in `sale_blockers`.', example: false },
  sale_blockers: {
    text: 'Everything that keeps it from sale: the seller is not approved, or its payment account takes no charges; the product is not approved, or is suspended; no imported code is left. The message of `checkout_not_available` begins with the first.',
    example: ['payment_not_ready', 'not_approved'],
  },
  'PendingRevision.status': { text: 'Where the edit stands.', example: 'pending_review' },
  'UpdateProductRequest.expected_revision': {
    text: 'The revision you edited; if the product changed since, nothing is saved.',
    example: 3,
  },
  'SubmitProductRequest.expected_revision': {
    text: 'The revision you looked at; if the product changed since, it is not handed in.',
    example: 3,
  },
  applied_at: {
    text: 'When the application last came into review from another state; of older ones it is known while they wait.',
    example: exampleTime,
  },
  review_due_at: {
    text: 'Until when an admin is to decide on it; there while it waits.',
    example: '2026-02-03T09:00:00.000Z',
    isRare: true,
  },
  ...ofEach(['AdditionPrices', 'ProductUpsertRequest.addition_prices', 'UpdateProductRequest.addition_prices'], {
    seat: { text: 'What one more seat costs for a license that was sold, in the minor unit; without it none is sold.', example: 980 },
    updates: {
      text: 'What `updates_days` more of updates cost for a license that was sold, in the minor unit; without it none are sold. Only where `updates_days` is under 36,500.',
      example: 1980,
    },
  }),
  ...ofEach(['UpgradeOffer', 'ProductUpsertRequest.upgrades_from', 'UpdateProductRequest.upgrades_from'], {
    product_id: { text: 'The product whose licenses can be upgraded.', example: exampleIds.product },
    price_amount: { text: 'What the upgrade of one costs, in the minor unit; 0 is free.', example: 1200 },
  }),
  seller_invoice_registration_number: {
    text: 'The number with which the seller issues qualified invoices in Japan; absent without one.',
    example: exampleInvoiceNumber,
  },
  invoice_registration_number: {
    text: 'The seller’s number as an issuer of qualified invoices in Japan: `T` and 13 digits. With it, receipts of orders in JPY are simplified qualified invoices. Giving it is your notice to the operator that you are registered, so that the operator may issue them in your place. `""` takes it away; left out it stays.',
    example: exampleInvoiceNumber,
  },
  updates_until: {
    text: 'Until when the license is owed updates; absent for one that is without end. It is used for as long as before.',
    example: '2027-01-31T09:00:00.000Z',
  },
  'ChangeLicenseRequest.updates_until': {
    text: 'Until when the license is owed updates: later than now stands, and at most 36,500 days after `issued_at`.',
    example: '2028-01-31T09:00:00.000Z',
  },
};
