import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [...identitySettings, 'TABLE_NAME', 'CONSOLE_ORIGINS'] as const;
