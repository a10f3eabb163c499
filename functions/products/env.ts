import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [...identitySettings, 'CONSOLE_ORIGINS', 'TABLE_NAME', 'CURRENCIES'] as const;
