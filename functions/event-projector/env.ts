export const settingNames = [
  'STAGE',
  'TABLE_NAME',
  'WEBHOOK_QUEUE_URL',
  'MAIL_QUEUE_URL',
  'PAYMENT_SECRET_KEY',
  'PAYMENT_API_BASE',
  'LICENSE_PEPPERS',
  'ENCRYPTION_KEYS',
] as const;
