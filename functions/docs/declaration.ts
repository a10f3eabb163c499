import { callerSettings } from '../../shared/http/callers/caller-address.ts';

export const settingNames = [...callerSettings, 'STAGE', 'PUBLIC_BASE_URL'] as const;
