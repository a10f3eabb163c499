export const settingNames = [
  'STAGE',
  'TABLE_NAME',
  'BUCKET_NAME',
  'SCAN_QUEUE_URL',
  'TRUSTED_SCANNERS',
  'CLAMD_URL',
  'MALWARE_PLAN_ARN',
] as const;
