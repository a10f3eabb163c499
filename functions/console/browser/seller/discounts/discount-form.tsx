import type { Product } from '../../../../../build/client.ts';
import { useSend } from '../../api/sends.ts';
import { announceDone } from '../../components/live.tsx';
import { NumberField, PriceField, TextField, TimeField } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { onePerField } from '../../forms/faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { formatPrice } from '../../words/formats.ts';
import { discountBody, discountFaults, noDiscount } from './discount-values.ts';
import { texts } from './discounts-texts.ts';

/** A discount that is not there yet; it cannot be changed once it is. */
export function DiscountForm({ product: { id, currency, price_amount } }: { product: Product }) {
  const edit = useEdit({ key: `discount:${id}`, base: noDiscount });
  const { send, failure } = useSend('createDiscount');
  return (
    <Form
      operation="createDiscount"
      target={id}
      edit={edit}
      submit={texts.make}
      check={(values) =>
        onePerField([...discountFaults(values, currency), ...bodyFaults('createDiscount', discountBody(values, currency), values)])
      }
      failure={failure}
      notDone={texts.notMade}
      onSend={async (values) => {
        const made = await send({ path: { product_id: id }, body: discountBody(values, currency) });
        if (!made) return undefined;
        announceDone(texts.make);
        return { values: noDiscount };
      }}
    >
      <TextField name="code" label={texts.code} hint={texts.codeHint} most={32} isCode />
      <NumberField name="percent_off" label={texts.percent} unit="%" optional />
      <PriceField
        name="amount_off"
        label={texts.amount}
        hint={texts.amountHint(formatPrice(price_amount, currency))}
        currency={currency}
        optional
      />
      <NumberField name="max_redemptions" label={texts.most} hint={texts.mostHint} optional />
      <TimeField name="starts_at" label={texts.starts} hint={texts.startsHint} optional />
      <TimeField name="ends_at" label={texts.ends} hint={texts.endsHint} optional />
      <TextField name="description" label={texts.note} most={200} optional />
    </Form>
  );
}
