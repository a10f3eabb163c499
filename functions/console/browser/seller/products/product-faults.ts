import { atLineOf, type Fault, onePerField } from '../../forms/faults.ts';
import { readPrice } from '../../forms/price.ts';
import type { Values } from '../../forms/values.ts';
import { type ProductValues, productBody } from './product-values.ts';

/** What is wrong with a product, as the service would say; of a price, as people write it. `inBody` is what the API's description says. */
export const productFaults =
  (inBody: (body: object, values: Values) => Fault[]) =>
  (values: ProductValues): Fault[] => {
    const { updates_days: _, ...texts } = values;
    const faults = inBody(productBody(values), texts).map((fault) =>
      fault.field === 'features' ? atLineOf(values.features, fault) : fault,
    );
    return onePerField([...faultsInPrices(values), ...faults]);
  };

/** Of those of one field that is a list, with what was typed: its place there says nothing to people. */
function faultsInPrices({ price_amount, currency, upgrades_from, ...values }: ProductValues): Fault[] {
  const additions = (['addition_prices.seat', 'addition_prices.updates'] as const).map((field) => ({ field, price: values[field] }));
  const upgrades = Object.values(upgrades_from).map((price) => ({ field: 'upgrades_from', price, at: price.trim() }));
  const given = [...additions, ...upgrades].filter(({ price }) => price.trim() !== '');
  return [{ field: 'price_amount', price: price_amount }, ...given].flatMap(({ price, ...place }) => {
    const read = readPrice(price, currency);
    return 'fault' in read ? [{ ...place, text: read.fault }] : [];
  });
}
