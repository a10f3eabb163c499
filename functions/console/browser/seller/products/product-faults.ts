import { productRequests } from '../../../../../shared/products/product.ts';
import { atLineOf, type Fault, faultsIn, onePerField } from '../../forms/faults.ts';
import { readPrice } from '../../forms/price.ts';
import { type ProductValues, productBody } from './product-values.ts';

/** What is wrong with a product, as the service that sells in these currencies would say; of a price, as people write it. */
export function productFaults(currencies: readonly string[]): (values: ProductValues) => Fault[] {
  const { create } = productRequests(currencies);
  return (values) => {
    const { updates_days: _, ...texts } = values;
    const price = readPrice(values.price_amount, values.currency);
    const faults = faultsIn(create, productBody(values), texts).map((fault) =>
      fault.field === 'features' ? atLineOf(values.features, fault) : fault,
    );
    const others = faults.filter(({ field }) => field !== 'price_amount');
    return onePerField('fault' in price ? [{ field: 'price_amount', text: price.fault }, ...others] : faults);
  };
}
