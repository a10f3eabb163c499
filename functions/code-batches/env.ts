import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [...identitySettings, 'CONSOLE_ORIGINS', 'ENCRYPTION_KEYS', 'TABLE_NAME', 'IMPORT_QUEUE_URL'] as const;
