import type { Product, ProductUpsertRequest } from '../../../../../build/client.ts';
import { bodyFaults, usualIn } from '../../api/body-faults.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { Check, Choice } from '../../forms/choices.tsx';
import { Lines, NumberField, PriceField, TextArea, TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { FeatureLabelFields } from './feature-labels.tsx';
import { productFaults } from './product-faults.ts';
import { say } from './product-form-texts.ts';
import {
  alikeInProduct,
  hasLive,
  issuanceModes,
  liveValues,
  newProduct,
  type ProductValues,
  productBody,
  savedValues,
  taxPercents,
} from './product-values.ts';
import { UpgradeFields } from './upgrade-fields.tsx';

const check = productFaults((body, values) => bodyFaults('createProduct', body, values));

/** The name of the draft of a product's form. */
export const draftKeyOf = (product: string): string => `product:${product}`;

interface NewProductFormProps {
  currencies: readonly string[];
  /** The seller's own, to begin with. */
  supportEmail: string;
  /** Sends it; the product, or nothing when that failed. */
  onSend: (body: ProductUpsertRequest) => Promise<Product | undefined>;
  failure: ApiFailure | undefined;
}

/** A product that is not there yet. Its draft goes when it is. */
export function NewProductForm({ currencies, supportEmail, onSend, failure }: NewProductFormProps) {
  const yen = LANGUAGE === 'ja' ? currencies.find((currency) => currency === 'JPY') : undefined;
  const edit = useEdit({
    key: draftKeyOf('new'),
    base: newProduct({ currency: yen ?? currencies[0] ?? '', supportEmail, usualIn: (field) => usualIn('createProduct', field) }),
    alike: alikeInProduct,
  });
  return (
    <Form
      operation="createProduct"
      edit={edit}
      check={check}
      submit={say.create}
      what={say.notCreated}
      failure={failure}
      onSend={async (values) => {
        const product = await onSend(productBody(values));
        return product && { values: edit.latest().base };
      }}
    >
      <ProductFields values={edit.values} currencies={currencies} />
    </Form>
  );
}

interface ProductFormProps {
  product: Product;
  currencies: readonly string[];
  onSend: (body: ProductUpsertRequest, revision: number | undefined) => Promise<Product | undefined>;
  /** Reads the product anew. */
  reread: () => Promise<Product>;
  failure: ApiFailure | undefined;
}

const stored = (product: Product) => ({ values: savedValues(product), revision: product.revision });

/** All that a seller writes of a product. What buyers see now stands beside what differs from it. */
export function ProductForm({ product, currencies, onSend, reread, failure }: ProductFormProps) {
  const { values: base, revision } = stored(product);
  const edit = useEdit({ key: draftKeyOf(product.id), base, revision, alike: alikeInProduct });
  return (
    <Form
      operation="updateProduct"
      target={product.id}
      edit={edit}
      check={check}
      submit={say.save}
      what={say.notSaved}
      failure={failure}
      live={hasLive(product) ? liveValues(product) : undefined}
      onSend={async (values, revision) => {
        const saved = await onSend(productBody(values, edit.latest().base), revision);
        return saved && stored(saved);
      }}
      reread={async () => stored(await reread())}
    >
      {hasLive(product) && <p class="notice">{say.waits}</p>}
      <ProductFields id={product.id} values={edit.values} currencies={currencies} />
    </Form>
  );
}

function ProductFields({ id, values, currencies }: { id?: string; values: ProductValues; currencies: readonly string[] }) {
  const { currency } = values;
  const currencyOptions = currencies.map((currency) => [currency, currency] as const);
  return (
    <>
      <fieldset class="group">
        <legend>{say.groups.offer}</legend>
        <TextField name="name" label={say.name} hint={say.nameHint} most={200} />
        <TextArea name="description" label={say.description} most={20_000} rows={10} />
        <TextField name="software_operating_environment" label={say.environment} hint={say.environmentHint} most={500} />
        <Check name="forbidden_category_acknowledged" label={say.acknowledged} />
      </fieldset>
      <fieldset class="group">
        <legend>{say.groups.price}</legend>
        <PriceField name="price_amount" label={say.price} hint={say.priceHint} currency={currency} />
        <Choice name="currency" label={say.currency} options={currencyOptions} />
        <Choice name="tax_percent" label={say.tax} options={taxPercents.map((percent) => [`${percent}`, `${percent} %`] as const)} />
        <TextField name="support_email" type="email" autocomplete="email" label={say.supportEmail} hint={say.supportHint} most={254} />
        <TextArea name="refund_policy" label={say.refunds} most={5000} />
      </fieldset>
      <fieldset class="group">
        <legend>{say.groups.law}</legend>
        <p class="hint">{say.lawHint}</p>
        <TextField name="tokushoho_seller_name" autocomplete="organization" label={say.sellerName} optional most={500} />
        <TextField name="tokushoho_address" label={say.address} optional most={500} />
        <TextField name="tokushoho_contact" label={say.contact} optional most={500} />
      </fieldset>
      <fieldset class="group">
        <legend>{say.groups.license}</legend>
        <Choice name="license_issuance_mode" label={say.mode} options={issuanceModes.map((mode) => [mode, say.modes[mode]] as const)} />
        <TextField name="license_key_prefix" label={say.prefix} hint={say.prefixHint} most={12} isCode />
        <NumberField name="activation_limit" label={say.limit} />
        <Lines name="features" label={say.features} hint={say.featuresHint} optional />
        <FeatureLabelFields features={values.features} labels={values.feature_labels} />
        <Check name="deactivation_allowed" label={say.deactivation} />
        <NumberField name="offline_days" label={say.offline} hint={say.offlineHint} unit={say.days} />
        <NumberField name="offline_file_days" label={say.offlineFile} hint={say.offlineFileHint} unit={say.days} />
        <NumberField name="updates_days" label={say.updates} hint={say.updatesHint} unit={say.days} optional />
      </fieldset>
      <fieldset class="group">
        <legend>{say.groups.more}</legend>
        <NumberField name="max_quantity" label={say.quantity} hint={say.quantityHint} />
        <PriceField name="addition_prices.seat" label={say.seat} hint={say.unsold} currency={currency} optional />
        <PriceField name="addition_prices.updates" label={say.moreUpdates} hint={say.moreUpdatesHint} currency={currency} optional />
        <UpgradeFields id={id} prices={values.upgrades_from} />
      </fieldset>
    </>
  );
}
