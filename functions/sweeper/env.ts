export const settingNames = [
  'STAGE',
  'TABLE_NAME',
  'WEBHOOK_QUEUE_URL',
  'MAIL_QUEUE_URL',
  'HASH_QUEUE_URL',
  'SCAN_QUEUE_URL',
  'IMPORT_QUEUE_URL',
] as const;
