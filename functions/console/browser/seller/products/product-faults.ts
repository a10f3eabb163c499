import { atLineOf, type Fault, onePerField } from '../../forms/faults.ts';
import { readPrice } from '../../forms/price.ts';
import type { Values } from '../../forms/values.ts';
import { type ProductValues, plainFields, productBody } from './product-values.ts';

/** What is wrong with a product, as the service would say; of a price, as people write it. `inBody` is what the API's description says. */
export const productFaults =
  (inBody: (body: object, values: Values) => Fault[]) =>
  (values: ProductValues): Fault[] => {
    const faults = inBody(productBody(values), values).map((fault) =>
      fault.field === 'features' ? atLineOf(values.features, fault) : fault,
    );
    return onePerField([...faultsInPrices(values), ...faults]);
  };

/** Of those of one field that is a list, with what was typed: its place there says nothing to people. */
function faultsInPrices({ currency, upgrades_from, ...values }: ProductValues): Fault[] {
  const plain = plainFields.flatMap(([field, { control, isOptional = false }]) =>
    control === 'price' ? [{ field, price: String(values[field]), isOptional }] : [],
  );
  const additions = (['addition_prices.seat', 'addition_prices.updates'] as const).map((field) => ({ field, price: values[field] }));
  const upgrades = Object.values(upgrades_from).map((price) => ({ field: 'upgrades_from', price, at: price.trim() }));
  const prices = [...plain, ...[...additions, ...upgrades].map((one) => ({ ...one, isOptional: true }))];
  const sent = prices.filter(({ price, isOptional }) => !isOptional || price.trim() !== '');
  return sent.flatMap(({ price, isOptional: _, ...place }) => {
    const read = readPrice(price, currency);
    return 'fault' in read ? [{ ...place, text: read.fault }] : [];
  });
}
