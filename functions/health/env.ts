export const settingNames = ['STAGE', 'TABLE_NAME', 'BUCKET_NAME', 'RATE_LIMIT_HEALTH'] as const;
