export const settingNames = ['STAGE', 'AUTH_MODE', 'ADMIN_ALLOWLIST', 'CONSOLE_ORIGINS', 'TABLE_NAME'] as const;
