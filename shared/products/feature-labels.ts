import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { type Locale, locales } from '../locale.ts';
import { filledText } from '../schemas.ts';

const maxLabels = 100;

const label = z.optional(filledText(100));
const LabelsOfFeature = z
  .strictObject({ ja: label, en: label } satisfies Record<Locale, typeof label>)
  .check(z.refine((labels) => locales.some((locale) => labels[locale] !== undefined), 'Must hold a label in ja or en'));

/** What features are called, by their names in `features` and by language. */
export const FeatureLabels = z
  .record(z.string(), LabelsOfFeature)
  .check(z.refine((labels) => Object.keys(labels).length <= maxLabels, `At most ${maxLabels} features`));
export type FeatureLabels = z.infer<typeof FeatureLabels>;

interface Labelled {
  features: readonly string[];
  featureLabels?: FeatureLabels | undefined;
}

/**
 * The labels that a product has after `request`; undefined for none. What the request leaves out stays, save
 * the labels of features that are listed no more.
 *
 * @throws AppError invalid_request for a label of a feature that is not listed
 */
export function labelsAfter(product: Labelled, request: Partial<Labelled>): FeatureLabels | undefined {
  const features = new Set(request.features ?? product.features);
  const { featureLabels: given } = request;
  if (given && Object.keys(given).some((feature) => !features.has(feature))) {
    throw new AppError('invalid_request', 'feature_labels: Must name only what is in features');
  }
  const kept = Object.entries(given ?? product.featureLabels ?? {}).filter(([feature]) => features.has(feature));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/**
 * The features as people read them: each label in the reader's language, else in the other. Identifiers of
 * features without a label are for apps; they are shown only where no feature has one.
 */
export function labelledFeatures({ features, featureLabels }: Labelled, locale: Locale): { text: string; lang?: Locale }[] {
  const labels = new Map(Object.entries(featureLabels ?? {}));
  const languages = [locale, ...locales];
  const labelled = features.flatMap((feature) => {
    const lang = languages.find((language) => labels.get(feature)?.[language] !== undefined);
    const text = lang && labels.get(feature)?.[lang];
    return lang && text !== undefined ? [{ text, lang }] : [];
  });
  return labelled.length > 0 ? labelled : features.map((text) => ({ text }));
}
