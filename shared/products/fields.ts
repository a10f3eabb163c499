import * as z from 'zod/mini';
import { email } from '../addresses.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { defaultOfflineTerms } from '../leases/offline-terms.ts';
import type { Locale } from '../locale.ts';
import { line, lines, nonBlankLine, nonBlankLines, nonBlankText, storedEmail } from '../schemas.ts';
import { mixesScripts } from '../text/words.ts';
import type { WireName } from '../wire.ts';
import { FeatureLabels } from './feature-labels.ts';
import { LicenseIssuanceMode } from './issuance-mode.ts';
import { AdditionPrices, additionPrice, maxOrderAmount, maxOrderQuantity, UpgradeOffer, upgradePrice } from './offers/selling-terms.ts';
import { slugOf } from './slug.ts';
import { endlessUpdatesDays } from './update-terms.ts';

/** How many devices of a license may be active at once. */
export const activationLimit = z.int().check(z.minimum(1), z.maximum(100_000));

type Schema = z.ZodMiniType;

const taxPercent = z.literal([0, 8, 10]);

/** What a field is: how it is kept and sent, and who is shown it. */
interface Field {
  /** As it is kept and shown: without the rules for what is sent. */
  value: Schema;
  /** The same, with what products have that were made before there was such a field. */
  stored: Schema;
  sent: Schema;
  /** What it is of a new product when it is left out. */
  usual?: unknown;
  /** Anyone may know it. */
  isPublic?: true;
  /** Buyers are told it before they buy, and orders keep it. */
  isDisclosed?: true;
  /** It is part of what a license is, and orders keep it. */
  isLicenseTerm?: true;
}

/** A seller has to give it. */
const needed = <Value extends Schema, Sent extends Schema>(value: Value, sent: Sent) => ({ value, stored: value, sent });

/** A product may be without it. */
const optional = <Value extends Schema, Sent extends Schema>(value: Value, sent: Sent) => ({
  value: z.optional(value),
  stored: z.optional(value),
  sent: z.optional(sent),
});

/** Its default is told and not filled in: an update that leaves it out keeps what there is. */
function withDefault<Value extends Schema, Sent extends Schema>(usual: z.output<Value>, value: Value, sent: Sent) {
  const field = z.exactOptional(sent);
  z.globalRegistry.add(field, { default: usual });
  return { value, stored: value, sent: field, usual };
}

/** The same of a field that came later than the first products. */
const added = <Value extends Schema, Sent extends Schema, Usual extends Default<Value>>(usual: Usual, value: Value, sent: Sent) => ({
  ...withDefault(usual, value, sent),
  stored: z._default(value, usual),
});
type Default<Value extends Schema> = z.core.util.NoUndefined<z.output<Value>>;

const disclosed = { isPublic: true, isDisclosed: true } as const;
const licenseTerm = { isLicenseTerm: true } as const;

/**
 * Everything that a seller writes of a product, in the order in which the API lists it. Sellers send each of these, a
 * pending revision holds those that changed, and reviewers compare them. See "Add a field" in recipes.md
 */
export const fields = {
  name: {
    ...needed(
      z.string(),
      nonBlankLine(200).check(
        z.refine((name) => slugOf(name) !== '', fault(rules.noLetter)),
        z.refine((name) => !mixesScripts(name), fault(rules.mixedScripts)),
      ),
    ),
    isPublic: true,
  },
  description: { ...needed(z.string(), nonBlankText(20_000)), isPublic: true },
  /** In the minor unit of the currency, as `shared/currencies.ts` counts it. */
  priceAmount: { ...needed(z.int(), z.int().check(z.minimum(0), z.maximum(maxOrderAmount))), isPublic: true },
  currency: { ...needed(z.string(), z.string().check(z.length(3, { abort: true }))), isPublic: true },
  supportEmail: { ...needed(storedEmail, email), ...disclosed },
  refundPolicy: { ...needed(z.string(), nonBlankText(5000)), ...disclosed },
  softwareOperatingEnvironment: { ...needed(z.string(), nonBlankLines(500)), ...disclosed },
  tokushohoSellerName: { ...optional(z.string(), line(500)), ...disclosed },
  tokushohoContact: { ...optional(z.string(), lines(500)), ...disclosed },
  tokushohoAddress: { ...optional(z.string(), lines(500)), ...disclosed },
  forbiddenCategoryAcknowledged: withDefault(false, z.boolean(), z.boolean()),
  licenseIssuanceMode: {
    ...withDefault('generated_server_validated', LicenseIssuanceMode, LicenseIssuanceMode),
    ...licenseTerm,
    isPublic: true,
  },
  licenseKeyPrefix: {
    ...withDefault('LIC1', z.string(), z.string().check(z.regex(/^[A-Z][A-Z0-9]{0,11}$/, fault(rules.notKeyPrefix)))),
    ...licenseTerm,
  },
  activationLimit: { ...withDefault(1, z.int(), activationLimit), ...licenseTerm, isPublic: true },
  features: {
    ...withDefault([], z.array(z.string()), z.array(line(64).check(z.minLength(1))).check(z.maxLength(100))),
    ...licenseTerm,
    isPublic: true,
  },
  featureLabels: { ...optional(FeatureLabels, FeatureLabels), isPublic: true },
  deactivationAllowed: { ...withDefault(true, z.boolean(), z.boolean()), ...licenseTerm },
  offlineDays: {
    ...added(defaultOfflineTerms.offlineDays, z.int(), z.int().check(z.minimum(0), z.maximum(90))),
    ...licenseTerm,
    isPublic: true,
  },
  offlineFileDays: {
    ...added(defaultOfflineTerms.offlineFileDays, z.int(), z.int().check(z.minimum(0), z.maximum(366))),
    ...licenseTerm,
    isPublic: true,
  },
  /** For how many days from its issue on a license is owed updates. */
  updatesDays: {
    ...added(endlessUpdatesDays, z.int(), z.int().check(z.minimum(0), z.maximum(endlessUpdatesDays))),
    ...licenseTerm,
    isPublic: true,
  },
  /** How many one order may be for. */
  maxQuantity: { ...added(1, z.int(), z.int().check(z.minimum(1), z.maximum(maxOrderQuantity))), isPublic: true },
  additionPrices: {
    ...added({}, AdditionPrices, z.object({ seat: z.optional(additionPrice), updates: z.optional(additionPrice) })),
    isPublic: true,
  },
  upgradesFrom: {
    ...added(
      [],
      z.array(UpgradeOffer),
      z
        .array(z.object({ productId: z.string().check(z.maxLength(64)).brand('product'), priceAmount: upgradePrice }))
        .check(z.maxLength(10)),
    ),
    isPublic: true,
  },
  /** The tax that is within every price of the product, in percent. */
  taxPercent: added(10, taxPercent, taxPercent),
} satisfies Record<string, Field>;

type Fields = typeof fields;
export type FieldName = keyof Fields;
/** A field as the API names it. */
export type WireFieldName = WireName<FieldName>;

/** What stands in a column of the table, by the fields that have it. */
type Column<Name extends keyof Field> = {
  [Key in FieldName as Name extends keyof Fields[Key] ? Key : never]: Name extends keyof Fields[Key] ? Fields[Key][Name] : never;
};

// The signature says which fields have the column, which nothing can be told of what `Object.fromEntries` makes.
export function columnOf<Name extends keyof Field>(name: Name): Column<Name>;
export function columnOf(name: keyof Field): object {
  const rows: [string, Field][] = Object.entries(fields);
  return Object.fromEntries(rows.flatMap(([key, row]) => (row[name] === undefined ? [] : [[key, row[name]]])));
}

/** All fields, as they are stored and shown. */
export const writtenFields = columnOf('stored');
const Written = z.object(writtenFields);

/** What anyone may know of a product. */
export const publicFields = z.pick(Written, columnOf('isPublic')).shape;
/** What buyers are told before they buy. Orders keep it. */
export const disclosedFields = z.pick(Written, columnOf('isDisclosed')).shape;
/** What a license of the product is. Orders keep it. */
export const licenseTerms = z.pick(Written, columnOf('isLicenseTerm')).shape;

type Words = Readonly<Record<Locale, string>>;

/** How people meet a field, in the console and in the description of the API. */
export interface FieldWords {
  /** What it means, as the API says it, and a value that it may have. */
  description: string;
  example?: string | number | boolean | readonly string[] | Readonly<Record<string, number | Readonly<Record<string, string>>>>;
  /** What a seller writes it with; `own` for one that only this field has. */
  control: 'area' | 'check' | 'choice' | 'code' | 'currency' | 'days' | 'email' | 'lines' | 'number' | 'own' | 'price' | 'text';
  /** In which part of the form. */
  group: 'offer' | 'price' | 'law' | 'license' | 'more';
  label: Words;
  hint?: Words;
  /** What reviewers read in the place of the label. */
  reviewLabel?: Words;
  /** A form may leave it empty. */
  isOptional?: true;
  /** What is sent of it then. */
  emptyAs?: number;
  /** What it counts. */
  unit?: Words;
  /** What each of several values is called. */
  options?: Readonly<Record<string, Words>>;
  /** So many characters at most, where no schema says it. */
  maxLength?: number;
  rows?: number;
  /** What a browser may fill in. */
  autocomplete?: 'email' | 'organization';
}

const days: Words = { en: 'days', ja: '日' };

/** In the order in which a form asks for them, part by part, and reviewers read them. */
export const fieldWords: Readonly<Record<FieldName, FieldWords>> = {
  name: {
    description: 'The product’s name; its slug comes from it.',
    example: 'Photo Editor',
    control: 'text',
    group: 'offer',
    label: { en: 'Name', ja: '商品名' },
    hint: { en: 'The address of its page comes from it.', ja: '商品ページのアドレスは商品名から作られます。' },
  },
  description: {
    description: 'What the product is, as buyers read it.',
    example: 'Edits photos without losing their originals.',
    control: 'area',
    rows: 10,
    group: 'offer',
    label: { en: 'Description', ja: '商品の説明' },
  },
  priceAmount: {
    description: 'In the minor unit of the currency; JPY and KRW have none. 0 to 99,999,999.',
    example: 4800,
    control: 'price',
    group: 'price',
    label: { en: 'Price', ja: '価格' },
    hint: { en: 'With tax. 0 for free.', ja: '税込。無料の場合は0。' },
  },
  currency: {
    description: 'A three-letter ISO 4217 code, echoed as it was given.',
    example: 'JPY',
    control: 'currency',
    group: 'price',
    label: { en: 'Currency', ja: '通貨' },
  },
  taxPercent: {
    description: 'The consumption tax within the price, in percent. Default 10.',
    example: 10,
    control: 'choice',
    unit: { en: '%', ja: '%' },
    group: 'price',
    label: { en: 'Tax within the prices', ja: '価格に含まれる消費税率' },
  },
  softwareOperatingEnvironment: {
    description: 'What the software runs on.',
    example: 'macOS 14 or Windows 11',
    control: 'text',
    group: 'offer',
    label: { en: 'Runs on', ja: '動作環境' },
    hint: { en: 'For example: Windows 11 or later, macOS 14 or later', ja: '例：Windows 11以降、macOS 14以降' },
  },
  supportEmail: {
    description: 'Where buyers get help.',
    example: 'support@example.com',
    control: 'email',
    autocomplete: 'email',
    group: 'price',
    label: { en: 'E-mail address for support', ja: 'サポート用メールアドレス' },
    hint: { en: 'Shown to buyers.', ja: '購入者に表示されます。' },
    reviewLabel: { en: 'Support for buyers', ja: 'サポート窓口' },
  },
  refundPolicy: {
    description: 'When the buyer gets the money back.',
    example: 'Within 14 days of the purchase.',
    control: 'area',
    group: 'price',
    label: { en: 'Refund policy', ja: '返金ポリシー' },
    reviewLabel: { en: 'Refund policy', ja: '返金について' },
  },
  tokushohoSellerName: {
    description: 'Who is responsible for the sale, as Japanese law wants it shown.',
    example: 'Example Shop K.K.',
    control: 'text',
    autocomplete: 'organization',
    isOptional: true,
    group: 'law',
    label: { en: 'Seller’s legal name', ja: '販売事業者名' },
  },
  tokushohoAddress: {
    description: 'The seller’s address, as Japanese law wants it shown.',
    example: '1-2-3 Jingumae, Shibuya-ku, Tokyo',
    control: 'text',
    isOptional: true,
    group: 'law',
    label: { en: 'Address', ja: '所在地' },
  },
  tokushohoContact: {
    description: 'How to reach the seller, as Japanese law wants it shown.',
    example: '+81 3-0000-0000',
    control: 'text',
    isOptional: true,
    group: 'law',
    label: { en: 'Phone number or other contact', ja: '電話番号などの連絡先' },
  },
  forbiddenCategoryAcknowledged: {
    description: 'That the seller has read what may not be sold. Default false.',
    example: true,
    control: 'check',
    group: 'offer',
    label: { en: 'It is nothing that may not be sold here', ja: '販売が禁止されている商品ではないことを確認しました' },
    reviewLabel: { en: 'Says it is nothing that may not be sold', ja: '販売禁止商品でないことの確認' },
  },
  licenseIssuanceMode: {
    description: 'Whether license keys are generated at the sale or taken from imported codes. Default `generated_server_validated`.',
    example: 'generated_server_validated',
    control: 'choice',
    options: {
      generated_server_validated: { en: 'Made here', ja: '自動で発行' },
      imported_csv: { en: 'Imported from a list', ja: '登録したコードを使う' },
    } satisfies Record<LicenseIssuanceMode, Words>,
    group: 'license',
    label: { en: 'Where license keys come from', ja: 'ライセンスキーの発行方法' },
    reviewLabel: { en: 'License keys', ja: 'ライセンスキーの発行方法' },
  },
  licenseKeyPrefix: {
    description: 'What generated keys start with: 1 to 12 of A–Z and 0–9, a letter first. Default `LIC1`.',
    example: 'LIC1',
    control: 'code',
    maxLength: 12,
    group: 'license',
    label: { en: 'Prefix of keys', ja: 'キーの先頭の文字' },
    hint: { en: 'A–Z and 0–9, 12 at most, beginning with a letter.', ja: '英大文字で始まる、12文字以内の英大文字と数字。' },
  },
  activationLimit: {
    description: 'How many devices may be active at once; 1 to 100,000.',
    example: 3,
    control: 'number',
    group: 'license',
    label: { en: 'Devices per license', ja: '1ライセンスで使える台数' },
  },
  features: {
    description: 'Names of what the license switches on in your app.',
    example: ['export', 'batch'],
    control: 'lines',
    isOptional: true,
    group: 'license',
    label: { en: 'Features', ja: '機能' },
    hint: { en: 'A line each, as your app asks for them.', ja: '1行に1つ、アプリが確認する名前で入力します。' },
  },
  featureLabels: {
    description:
      'What the features are called where people read them: by identifier, in `ja`, `en` or both. Only identifiers that are in `features`.',
    example: { export: { en: 'Export to WAV', ja: 'WAV書き出し' } },
    control: 'own',
    group: 'license',
    label: { en: 'What buyers read instead', ja: '購入者に表示する名前' },
  },
  deactivationAllowed: {
    description: 'Whether the app may free a seat again. Default true.',
    example: true,
    control: 'check',
    group: 'license',
    label: { en: 'Buyers may free devices themselves', ja: '購入者が自分で端末を解除できる' },
    reviewLabel: { en: 'Buyers may free devices themselves', ja: '購入者による端末の解除' },
  },
  offlineDays: {
    description: 'How many days a device may run the license without asking: how long its lease lasts. 0 to 90, 0: none. Default 14.',
    example: 14,
    control: 'days',
    unit: days,
    group: 'license',
    label: { en: 'Offline for at most', ja: 'オフラインで使える期間' },
    hint: { en: '0: not without network.', ja: '0の場合、オフラインでは使えません。' },
  },
  offlineFileDays: {
    description: 'The same for a device without network, by request code. 0 to 366, 0: not offered. Default 0.',
    example: 0,
    control: 'days',
    unit: days,
    group: 'license',
    label: { en: 'License file for devices that are never online', ja: 'オフライン端末用ライセンスファイルの有効期間' },
    hint: { en: 'For how long it is good. 0: not offered.', ja: '0の場合、ライセンスファイルは提供されません。' },
  },
  updatesDays: {
    description:
      'For how many days from its issue on a license is owed updates, as sold: 0 to 36,500, which is without end. Default 36,500. It is used for as long as before.',
    example: 365,
    control: 'days',
    unit: days,
    isOptional: true,
    emptyAs: endlessUpdatesDays,
    group: 'license',
    label: { en: 'Updates after the sale', ja: 'アップデートを受けられる期間' },
    hint: { en: 'Empty: without end.', ja: '空欄の場合は無期限。' },
  },
  maxQuantity: {
    description:
      'How many one order may be for, 1 to 100; 1 of a product with imported codes. Times `activation_limit` at most 100,000. Default 1.',
    example: 10,
    control: 'number',
    group: 'more',
    label: { en: 'Most in one order', ja: '一度に購入できる数' },
    hint: {
      en: '1 to 100. Each brings the devices of a license, on one key.',
      ja: '1～100。1つのキーで使える台数が、数に応じて増えます。',
    },
  },
  additionPrices: {
    description:
      'What can be added to a license that was sold, with its price in the product’s currency. Replaced whole; `{}` clears. A change of `currency` gives it anew. Default `{}`.',
    example: { seat: 980 },
    control: 'own',
    group: 'more',
    label: { en: 'More for a license', ja: 'ライセンスへの追加' },
  },
  upgradesFrom: {
    description:
      'Other products of yours, at most 10, each once, whose licenses can be upgraded to this product. `[]` clears. A change of `currency` gives it anew. Default `[]`.',
    control: 'own',
    isOptional: true,
    group: 'more',
    label: { en: 'Price for owners of another product', ja: '他の商品からのアップグレード価格' },
    hint: {
      en: 'An upgrade to this product. Empty: not sold; 0: free; from 10 products at most.',
      ja: '空欄の場合は販売しません。0は無料。10商品まで。',
    },
    reviewLabel: { en: 'Upgrades from other products', ja: '他の商品からのアップグレード' },
  },
};
