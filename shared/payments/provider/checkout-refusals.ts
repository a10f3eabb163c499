import { AppError } from '../../errors.ts';
import { invalidField } from '../../faults/invalid-request.ts';
import * as rules from '../../faults/rules.ts';
import { noPaymentMethods, ProviderRefusedError } from './stripe-client.ts';

/** No way to pay is switched on in the platform's own account, so that nothing sells until an operator acts. */
export class NoPaymentMethodsError extends AppError {
  constructor() {
    super('checkout_not_available', 'payment_not_ready: No way to pay is available now.');
  }
}

/** Permanent refusals of a checkout, recognized by the provider's parameter or code. The first match counts. */
const refusals: readonly { code: RegExp; param: RegExp; refuse: () => AppError }[] = [
  {
    code: /^email_invalid$/,
    param: /^customer_email$/,
    refuse: () => invalidField('buyer_email', rules.refusedByProvider),
  },
  {
    code: /capabilit|destination|^account_|^no_account$|^(transfers|application_fees)_not_allowed$|^country_unsupported$|^testmode_charges_only$|_standard_account$/,
    param: /destination|transfer_data/,
    refuse: () => new AppError('checkout_not_available', 'payment_not_ready: The seller cannot take payments now.'),
  },
  {
    code: new RegExp(`^(?:${noPaymentMethods}|payment_method_unactivated|invoice_no_payment_method_types)$`),
    param: /payment_method_types/,
    refuse: () => new NoPaymentMethodsError(),
  },
  {
    code: /amount|currency|^charge_exceeds_|^payment_method_|^(alipay|bitcoin)_upgrade_required$/,
    param: /unit_amount|application_fee_amount|currency|payment_method/,
    refuse: () => new AppError('price_not_chargeable'),
  },
];

/** The error to reply when the provider refuses a checkout for good; undefined when another attempt may help. */
export function checkoutRefusalOf(error: unknown): AppError | undefined {
  if (!(error instanceof ProviderRefusedError)) return undefined;
  const { code, param = '' } = error;
  return refusals.find((refusal) => refusal.param.test(param) || refusal.code.test(code))?.refuse();
}
