import { callerSettings } from '../../shared/http/caller-address.ts';

export const settingNames = [...callerSettings, 'STAGE', 'PUBLIC_BASE_URL'] as const;
