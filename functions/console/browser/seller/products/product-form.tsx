import { writtenFields } from 'console:product-fields';
import type { Product } from '../../../../../build/client.ts';
import { call } from '../../api/call.ts';
import type { WrittenField } from '../../api/product-fields.ts';
import { storeReply } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { Check, Choice } from '../../fields/choices.tsx';
import { Lines, NumberField, PriceField, TextArea, TextField } from '../../fields/fields.tsx';
import { bodyFaults, isBodyOf } from '../../forms/body-faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { FeatureLabelFields } from './feature-labels.tsx';
import { hasLive } from './product.ts';
import { productFaults } from './product-faults.ts';
import { alikeInProduct, liveValues, newProduct, type ProductValues, productBody, savedValues } from './product-values.ts';
import { texts } from './products-texts.ts';
import { UpgradeFields } from './upgrade-fields.tsx';

const check = productFaults((body, values) => bodyFaults('createProduct', body, values));

/** The name of the draft of a product's form. */
export const draftKeyOf = (product: string): string => `product:${product}`;

interface NewProductFormProps {
  currencies: readonly string[];
  /** The seller's own, to begin with. */
  supportEmail: string;
  onMade: (product: Product) => void;
}

/** A product that is not there yet. Its draft goes when it is. */
export function NewProductForm({ currencies, supportEmail, onMade }: NewProductFormProps) {
  const { send, failure } = useSend('createProduct');
  const yen = LANGUAGE === 'ja' ? currencies.find((currency) => currency === 'JPY') : undefined;
  const edit = useEdit({
    key: draftKeyOf('new'),
    base: newProduct({ currency: yen ?? currencies[0] ?? '', supportEmail }),
    alike: alikeInProduct,
  });
  return (
    <Form
      operation="createProduct"
      edit={edit}
      check={check}
      submit={texts.createDraft}
      notDone={texts.notCreated}
      failure={failure}
      onSend={async (values) => {
        const body = productBody(values);
        const product = isBodyOf('createProduct', body) ? await send({ body }) : undefined;
        if (product) onMade(product);
        return product && { values: edit.latest().base };
      }}
    >
      <ProductFields values={edit.values} currencies={currencies} />
    </Form>
  );
}

const stored = (product: Product) => ({ values: savedValues(product), revision: product.revision });

/** All that a seller writes of a product. What buyers see now stands beside what differs from it. */
export function ProductForm({ product, currencies }: { product: Product; currencies: readonly string[] }) {
  const { values: base, revision } = stored(product);
  const path = { product_id: product.id };
  const keep = (body: Product) => storeReply('getProduct', { path }, body);
  const { send, failure } = useSend('updateProduct', { done: keep });
  const edit = useEdit({ key: draftKeyOf(product.id), base, revision, alike: alikeInProduct });
  return (
    <Form
      operation="updateProduct"
      target={product.id}
      edit={edit}
      check={check}
      failure={failure}
      live={hasLive(product) ? liveValues(product) : undefined}
      onSend={async (values, revision) => {
        const body = productBody(values, edit.latest().base);
        const expected = revision !== undefined && { expected_revision: revision };
        const saved = isBodyOf('createProduct', body) ? await send({ path, body: { ...body, ...expected } }) : undefined;
        return saved && stored(saved);
      }}
      reread={async () => {
        const now = await call('getProduct', { path });
        keep(now);
        return stored(now);
      }}
    >
      {hasLive(product) && <p class="notice">{texts.changeWaits}</p>}
      <ProductFields id={product.id} values={edit.values} currencies={currencies} />
    </Form>
  );
}

interface ProductFieldsProps {
  id?: string | undefined;
  values: ProductValues;
  currencies: readonly string[];
}

const groups = ['offer', 'price', 'law', 'license', 'more'] as const;
const fields = Object.entries(writtenFields);

function ProductFields(props: ProductFieldsProps) {
  return groups.map((group) => (
    <fieldset key={group} class="group">
      <legend>{texts.groups[group]}</legend>
      {group === 'law' && <p class="hint">{texts.lawHint}</p>}
      {fields.map(([name, field]) => field.group === group && <ProductField key={name} name={name} field={field} {...props} />)}
    </fieldset>
  ));
}

/** What a field is written with. */
function ProductField({ name, field, id, values, currencies }: ProductFieldsProps & { name: string; field: WrittenField }) {
  const { control, label, hint, isOptional: optional = false, maxLength, options = [], unit, rows, autocomplete } = field;
  const props = { name, label, hint, optional };
  const text = { ...props, ...(maxLength !== undefined && { most: maxLength }), ...(autocomplete && { autocomplete }) };
  switch (control) {
    case 'own':
      return <OwnField name={name} id={id} values={values} />;
    case 'area':
      return <TextArea {...text} {...(rows && { rows })} />;
    case 'check':
      return <Check {...props} />;
    case 'choice':
      return <Choice {...props} options={options.map(([value, words]) => [String(value), words] as const)} />;
    case 'currency':
      return <Choice {...props} options={currencies.map((code) => [code, code] as const)} />;
    case 'days':
    case 'number':
      return <NumberField {...props} {...(unit && { unit })} />;
    case 'lines':
      return <Lines {...props} />;
    case 'price':
      return <PriceField {...props} currency={values.currency} />;
    default:
      return <TextField {...text} type={control === 'email' ? 'email' : 'text'} isCode={control === 'code'} />;
  }
}

/** The fields that are written like no other. */
function OwnField({ name, id, values }: Omit<ProductFieldsProps, 'currencies'> & { name: string }) {
  const { currency } = values;
  switch (name) {
    case 'feature_labels':
      return <FeatureLabelFields features={values.features} labels={values.feature_labels} />;
    case 'addition_prices':
      return (
        <>
          <PriceField name="addition_prices.seat" label={texts.seat} hint={texts.unsold} currency={currency} optional />
          <PriceField name="addition_prices.updates" label={texts.moreUpdates} hint={texts.moreUpdatesHint} currency={currency} optional />
        </>
      );
    case 'upgrades_from':
      return <UpgradeFields id={id} prices={values.upgrades_from} />;
    default:
      return null;
  }
}
