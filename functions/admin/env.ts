export const settingNames = [
  'STAGE',
  'AUTH_MODE',
  'ADMIN_ALLOWLIST',
  'CONSOLE_ORIGINS',
  'TABLE_NAME',
  'PUBLIC_BASE_URL',
  'TOKEN_KEYS',
] as const;
