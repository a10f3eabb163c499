import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [
  ...identitySettings,
  'CONSOLE_ORIGINS',
  'TABLE_NAME',
  'PUBLIC_BASE_URL',
  'PAYMENT_SECRET_KEY',
  'PAYMENT_API_BASE',
  'PAYMENT_ACCOUNT_COUNTRY',
] as const;
