export const settingNames = ['STAGE', 'TABLE_NAME', 'BUCKET_NAME', 'HASH_QUEUE_URL', 'SCAN_QUEUE_URL', 'DISCARD_AFTER_HOURS'] as const;
