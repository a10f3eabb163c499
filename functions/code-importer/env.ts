export const settingNames = ['STAGE', 'ENCRYPTION_KEYS', 'TABLE_NAME', 'IMPORT_QUEUE_URL', 'WEBHOOK_QUEUE_URL'] as const;
