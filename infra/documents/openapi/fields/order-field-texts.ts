import { exampleIds, type FieldText } from './field-texts.ts';

const kind = {
  text: 'What it is for: `license`; `seats` or `updates`, more of them for a license that was sold; or `upgrade`, a license in the place of one of another product.',
  example: 'license',
};

const onlyOfKind = { text: 'Only orders of this kind.' };
const onlyWithDiscount = { text: 'Only orders that were made with this discount; of an unknown one there are none.' };

/** The fields of what is bought, named as those of `fieldTexts`. */
export const orderFieldTexts: Readonly<Record<string, FieldText>> = {
  'OrderSummary.kind': kind,
  'OrderDetail.kind': kind,
  'SoldOrder.kind': kind,
  'listOrders.kind': onlyOfKind,
  'listAllOrders.kind': onlyOfKind,
  'listOrders.discount_id': onlyWithDiscount,
  'listAllOrders.discount_id': onlyWithDiscount,
  quantity: { text: 'How many were bought.', example: 3 },
  unit_amount: { text: 'What one cost, after the discount, in the minor unit of the currency.', example: 1600 },
  discount_id: { text: 'The discount that it was bought with.', example: 'dis_01KG9TZZ6S9TG81CW5F3H7K1NP' },
  discount_code: { text: 'The code of the discount, upper-case.', example: 'SPRING-2026' },
  parent_order_id: { text: 'Of more seats or updates: the order of the license that they are for.', example: exampleIds.order },
  upgraded_from: { text: 'Of an upgrade: what it was upgraded from.' },
  'upgraded_from.order_id': { text: 'The order of the license that was upgraded.', example: exampleIds.order },
  'upgraded_from.license_id': { text: 'The license that was upgraded. It stays usable.', example: exampleIds.license },
};
