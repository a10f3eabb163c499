import { queueSettings } from '../../shared/queue/messages.ts';

export const settingNames = ['STAGE', 'TABLE_NAME', ...queueSettings] as const;
