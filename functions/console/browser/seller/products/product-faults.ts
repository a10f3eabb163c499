import { stepOf } from '../../../../../shared/currencies.ts';
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
    const wrong = wrongInPrice(values);
    return wrong === undefined ? faults : onePerField([{ field: 'price_amount', text: wrong }, ...faults]);
  };

function wrongInPrice({ price_amount, currency }: ProductValues): string | undefined {
  const price = readPrice(price_amount, currency);
  if ('fault' in price) return price.fault;
  const step = stepOf(currency);
  return price.amount % step === 0 ? undefined : `must be a multiple of ${step} in this currency`;
}
