import type { SettingsOf } from './config.ts';
import type { Locale } from './locale.ts';

/** The settings that say who stands behind the service. None is required. */
export const operatorSettings = [
  'SERVICE_NAME',
  'OPERATOR_NAME',
  'OPERATOR_ADDRESS',
  'OPERATOR_CONTACT',
  'TERMS_URL',
  'PRIVACY_URL',
] as const;

export type OperatorSetting = (typeof operatorSettings)[number];

/** Who runs the service, and under which name; what pages and mails say of it. */
export interface Operator {
  /** Instead of the general name of such a service in the reader's language. */
  serviceName?: string | undefined;
  name?: string | undefined;
  /** May have several lines. */
  address?: string | undefined;
  /** An e-mail address, a URL, or anything else by which the operator is reached. */
  contact?: string | undefined;
  termsUrl?: string | undefined;
  privacyUrl?: string | undefined;
}

export const operatorOf = (settings: SettingsOf<typeof operatorSettings>): Operator => ({
  serviceName: settings.SERVICE_NAME,
  name: settings.OPERATOR_NAME,
  address: settings.OPERATOR_ADDRESS,
  contact: settings.OPERATOR_CONTACT,
  termsUrl: settings.TERMS_URL,
  privacyUrl: settings.PRIVACY_URL,
});

const generalNames: Record<Locale, string> = { ja: 'ソフトウェアライセンス', en: 'Software Licenses' };

/** What the service is called: as its operator named it, else by what it is. */
export const serviceNameIn = (locale: Locale, { serviceName }: Operator): string => serviceName ?? generalNames[locale];
