export const settingNames = ['STAGE', 'TABLE_NAME', 'BUCKET_NAME'] as const;
