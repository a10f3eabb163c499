import { callerSettings } from '../../shared/http/caller-address.ts';
import { identitySettings } from '../../shared/http/create-authenticate.ts';

export const settingNames = [...callerSettings, ...identitySettings, 'TABLE_NAME', 'CONSOLE_ORIGINS'] as const;
