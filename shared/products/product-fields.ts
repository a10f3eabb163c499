import * as z from 'zod/mini';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { offlineTerms, usualOfflineTerms } from '../leases/offline-terms.ts';
import { activationLimit, email, filledLine, filledText, line, shownEmail } from '../schemas.ts';
import { mixesScripts } from '../text/words.ts';
import { FeatureLabels } from './feature-labels.ts';
import { LicenseIssuanceMode } from './issuance-mode.ts';
import { mostAmount, sellingTerms, sentSellingTerms, usualSellingTerms } from './offers/selling-terms.ts';
import { slugOf } from './slug.ts';
import { endlessUpdatesDays } from './update-terms.ts';

/** What is sold, and for how much. */
export const offeredFields = {
  name: z.string(),
  description: z.string(),
  /** In the minor unit of the currency, as `shared/currencies.ts` counts it. */
  priceAmount: z.int(),
  currency: z.string(),
};

/** What buyers are told before they buy, in the seller's words. Orders keep it. */
export const statedTexts = {
  refundPolicy: z.string(),
  softwareOperatingEnvironment: z.string(),
};

/** What Japanese law wants on the page of a shop, likewise. */
export const legalTexts = {
  tokushohoSellerName: z.optional(z.string()),
  tokushohoContact: z.optional(z.string()),
  tokushohoAddress: z.optional(z.string()),
};

/** For how many days from its issue on a license is owed updates. */
export const updateTerms = { updatesDays: z._default(z.int(), endlessUpdatesDays) };

/** What a license of the product is. Orders keep it, save the labels. */
export const licenseTerms = {
  licenseIssuanceMode: LicenseIssuanceMode,
  licenseKeyPrefix: z.string(),
  activationLimit: z.int(),
  features: z.array(z.string()),
  featureLabels: z.optional(FeatureLabels),
  deactivationAllowed: z.boolean(),
  ...offlineTerms,
  ...updateTerms,
};

/** Everything that a seller writes of a product, as it is stored and shown: without the rules for what is sent. */
export const writtenFields = {
  ...offeredFields,
  supportEmail: shownEmail,
  ...statedTexts,
  ...legalTexts,
  forbiddenCategoryAcknowledged: z.boolean(),
  ...licenseTerms,
  ...sellingTerms,
};

/** What an optional field of a new product is when it is left out. */
export const productDefaults = {
  forbiddenCategoryAcknowledged: false,
  licenseIssuanceMode: 'generated_server_validated',
  licenseKeyPrefix: 'LIC1',
  activationLimit: 1,
  features: [],
  deactivationAllowed: true,
  ...usualOfflineTerms,
  updatesDays: endlessUpdatesDays,
  ...usualSellingTerms,
} as const;

/** An optional field whose default is told and not filled in: an update that leaves it out keeps what there is. */
function usually<Schema extends z.ZodMiniType>(schema: Schema, name: keyof typeof productDefaults): z.ZodMiniExactOptional<Schema> {
  const field = z.exactOptional(schema);
  z.globalRegistry.add(field, { default: productDefaults[name] });
  return field;
}

/** What a seller may send of each. */
export const sentFields = {
  name: filledLine(200).check(
    z.refine((name) => slugOf(name) !== '', fault(rules.noLetter)),
    z.refine((name) => !mixesScripts(name), fault(rules.mixedScripts)),
  ),
  description: filledText(20_000),
  priceAmount: z.int().check(z.minimum(0), z.maximum(mostAmount)),
  currency: z.string().check(z.length(3, { abort: true })),
  supportEmail: email,
  refundPolicy: filledText(5000),
  softwareOperatingEnvironment: filledLine(500),
  tokushohoSellerName: z.optional(line(500)),
  tokushohoContact: z.optional(line(500)),
  tokushohoAddress: z.optional(line(500)),
  forbiddenCategoryAcknowledged: usually(z.boolean(), 'forbiddenCategoryAcknowledged'),
  licenseIssuanceMode: usually(LicenseIssuanceMode, 'licenseIssuanceMode'),
  licenseKeyPrefix: usually(z.string().check(z.regex(/^[A-Z][A-Z0-9]{0,11}$/, fault(rules.notKeyPrefix))), 'licenseKeyPrefix'),
  activationLimit: usually(activationLimit, 'activationLimit'),
  features: usually(z.array(line(64).check(z.minLength(1))).check(z.maxLength(100)), 'features'),
  featureLabels: z.optional(FeatureLabels),
  deactivationAllowed: usually(z.boolean(), 'deactivationAllowed'),
  offlineDays: usually(z.int().check(z.minimum(0), z.maximum(90)), 'offlineDays'),
  offlineFileDays: usually(z.int().check(z.minimum(0), z.maximum(366)), 'offlineFileDays'),
  updatesDays: usually(z.int().check(z.minimum(0), z.maximum(endlessUpdatesDays)), 'updatesDays'),
  maxQuantity: usually(sentSellingTerms.maxQuantity, 'maxQuantity'),
  additionPrices: usually(sentSellingTerms.additionPrices, 'additionPrices'),
  upgradesFrom: usually(sentSellingTerms.upgradesFrom, 'upgradesFrom'),
  taxPercent: usually(sentSellingTerms.taxPercent, 'taxPercent'),
} satisfies Record<keyof typeof writtenFields, z.ZodMiniType>;
