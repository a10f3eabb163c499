export const settingNames = ['STAGE', 'TABLE_NAME', 'DELIVERY_QUEUE_URL', 'MAIL_QUEUE_URL', 'ENCRYPTION_KEYS'] as const;
