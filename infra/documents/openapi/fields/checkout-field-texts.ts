import type { FieldText } from './field-texts.ts';

const quantity = { text: 'How many are bought with one order; at most the product’s `max_quantity`.', example: 3 };
const discountCode = {
  text: 'A discount code. White space around it is ignored, and so is a text of nothing else.',
  example: 'SPRING-2026',
};
const unitAmount = { text: 'What one costs, after the discount, in the minor unit of the currency.', example: 1600 };

/** The fields of checkouts and what they would cost, named as those of `fieldTexts`. */
export const checkoutFieldTexts: Readonly<Record<string, FieldText>> = {
  'CreateCheckoutRequest.quantity': quantity,
  'CreateCheckoutRequest.discount_code': discountCode,
  'CheckoutResponse.quantity': quantity,
  'CheckoutResponse.unit_amount': unitAmount,
  'QuoteRequest.quantity': quantity,
  'QuoteRequest.discount_code': discountCode,
  'Quote.quantity': quantity,
  'Quote.unit_amount': unitAmount,
  'Quote.discount_amount': { text: 'What the discount takes off all of them together; 0 without a code.', example: 480 },
  'Quote.total': { text: 'What the checkout would cost: `unit_amount` × `quantity`.', example: 4800 },
};
