export const settingNames = ['STAGE', 'TABLE_NAME', 'EVENT_QUEUE_URL', 'DELIVERY_QUEUE_URL'] as const;
