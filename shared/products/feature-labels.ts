import * as z from 'zod/mini';
import { fault } from '../faults/fault.ts';
import { invalidField } from '../faults/invalid-request.ts';
import * as rules from '../faults/rules.ts';
import { type Locale, locales } from '../locale.ts';
import { nonBlankLine } from '../schemas.ts';
import { safeClientName } from '../wire.ts';

const label = z.optional(nonBlankLine(100));
const LabelsOfFeature = z
  .strictObject({ ja: label, en: label } satisfies Record<Locale, typeof label>)
  .check(z.refine((labels) => locales.some((locale) => labels[locale] !== undefined), fault(rules.noLabel)));

/** What features are called, by their names in `features` and by language. */
export const FeatureLabels = z.record(z.string(), LabelsOfFeature);
export type FeatureLabels = z.infer<typeof FeatureLabels>;

interface Labelled {
  features: readonly string[] | undefined;
  featureLabels?: FeatureLabels | undefined;
}

/**
 * The labels that a product has after `request`; undefined for none. What the request leaves out stays, save
 * the labels of features that are listed no more.
 *
 * @throws AppError invalid_request for a label of a feature that is not listed
 */
export function updatedLabels(product: Labelled, request: Partial<Labelled>): FeatureLabels | undefined {
  const features = new Set((request.features ?? product.features)?.map(safeClientName));
  const { featureLabels: given } = request;
  if (given && Object.keys(given).some((feature) => !features.has(feature))) {
    throw invalidField('feature_labels', rules.unlistedFeature);
  }
  const kept = Object.entries(given ?? product.featureLabels ?? {}).filter(([feature]) => features.has(feature));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** A feature as people read it: by its label, or by the name that apps know it by. */
export interface DisplayedFeature {
  text: string;
  /** The language of a label. */
  lang?: Locale;
  /** The text is for apps, and nobody gave it a label. */
  isIdentifier?: boolean;
}

/** As `export_wav` and `batchRun`: without spaces, beginning small. */
const identifier = /^[a-z][\w.:-]*$/;

/**
 * The features as people read them: each label in the reader's language, else in the other. Of what has no label,
 * identifiers are shown only where no feature has one.
 */
export function displayedFeatures({ features = [], featureLabels = {} }: Partial<Labelled>, locale: Locale): DisplayedFeature[] {
  const labels = new Map(Object.entries(featureLabels));
  const languages = [locale, ...locales];
  return features.flatMap((feature): DisplayedFeature[] => {
    const labelOf = (language: Locale) => labels.get(safeClientName(feature))?.[language];
    const lang = languages.find((language) => labelOf(language) !== undefined);
    const label = lang && labelOf(lang);
    if (lang && label !== undefined) return [{ text: label, lang }];
    const isIdentifier = identifier.test(feature);
    return isIdentifier && labels.size > 0 ? [] : [{ text: feature, isIdentifier }];
  });
}
