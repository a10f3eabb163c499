import { callerSettings } from '../../shared/http/caller-address.ts';

export const settingNames = [...callerSettings, 'STAGE', 'TABLE_NAME', 'BUCKET_NAME'] as const;
