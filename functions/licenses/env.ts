export const settingNames = ['TABLE_NAME', 'LICENSE_PEPPERS'] as const;
