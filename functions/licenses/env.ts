export const settingNames = ['TABLE_NAME', 'LICENSE_PEPPERS', 'RATE_LIMIT_UNKNOWN_KEYS'] as const;
