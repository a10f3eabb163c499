import { writtenFields } from 'console:product-fields';
import { locales } from '../../../../../shared/locale.ts';
import { faultText, fieldId, useForm } from '../../forms/form-context.ts';
import { linesOf } from '../../forms/values.ts';
import { labelKey } from './product-values.ts';
import { texts } from './products-texts.ts';

/** What each listed feature is called for buyers, in each of their languages. */
export function FeatureLabelFields({ features, labels }: { features: string; labels: Readonly<Record<string, string>> }) {
  const form = useForm();
  const known = { label: writtenFields.feature_labels.label };
  form.fields.set('feature_labels', known);
  const id = fieldId(form, 'feature_labels');
  const fault = form.faults.find(({ field }) => field === 'feature_labels');
  const listed = [...new Set(linesOf(features))];
  if (listed.length === 0) return null;
  return (
    <details open={fault !== undefined}>
      <summary id={id}>{known.label}</summary>
      {fault && <p class="field-error">{faultText(fault, known)}</p>}
      {listed.map((feature) => (
        <div key={feature} class="pair">
          {locales.map((locale) => {
            const key = labelKey(locale, feature);
            return (
              <label key={key}>
                <bdi>{texts.labelOf(feature, texts.label[locale])}</bdi>
                <input
                  name={`feature_labels.${feature}.${locale}`}
                  lang={locale}
                  autocomplete="off"
                  value={labels[key] ?? ''}
                  onInput={({ currentTarget }) => form.edit.set('feature_labels', { ...labels, [key]: currentTarget.value })}
                />
              </label>
            );
          })}
        </div>
      ))}
    </details>
  );
}
