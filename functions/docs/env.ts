export const settingNames = ['STAGE', 'PUBLIC_BASE_URL'] as const;
