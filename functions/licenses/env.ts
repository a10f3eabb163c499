import { callerSettings } from '../../shared/http/caller-address.ts';

export const settingNames = [...callerSettings, 'TABLE_NAME', 'LICENSE_PEPPERS', 'RATE_LIMIT_UNKNOWN_KEYS'] as const;
