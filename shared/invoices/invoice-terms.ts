import type { Settings } from '../config.ts';
import type { ProductRecord } from '../products/product.ts';
import type { SellerRecord } from '../sellers/seller.ts';
import type { InvoiceTerms } from './invoice.ts';

/** The operator as an issuer of invoices. */
export interface InvoiceIssuer {
  name: string;
  registrationNumber: string;
}

/** Undefined where sellers issue their invoices themselves. Without a name it is local, where none is wanted. */
export type InvoicingSetting = 'OPERATOR_NAME' | 'OPERATOR_INVOICE_NUMBER';

export function invoiceIssuerOf(settings: Pick<Settings, InvoicingSetting>): InvoiceIssuer | undefined {
  const { OPERATOR_INVOICE_NUMBER: registrationNumber, OPERATOR_NAME: name = 'Operator' } = settings;
  return registrationNumber === undefined ? undefined : { name, registrationNumber };
}

/** Of what the invoice of a sale at this total is made, as product and seller are now; undefined where none is: see README.md */
export function invoiceTermsOf(options: {
  product: Pick<ProductRecord, 'currency' | 'taxPercent' | 'tokushohoSellerName'>;
  seller: Pick<SellerRecord, 'displayName' | 'invoiceRegistrationNumber'>;
  operator: InvoiceIssuer | undefined;
  /** In the minor unit. */
  total: number;
}): InvoiceTerms | undefined {
  const { product, seller, operator, total } = options;
  const { invoiceRegistrationNumber: registrationNumber } = seller;
  if (registrationNumber === undefined || total === 0 || product.currency.toUpperCase() !== 'JPY') return undefined;
  return {
    registrationNumber,
    sellerName: product.tokushohoSellerName?.trim() || seller.displayName,
    taxPercent: product.taxPercent,
    ...(operator && { operatorName: operator.name, operatorRegistrationNumber: operator.registrationNumber }),
  };
}
