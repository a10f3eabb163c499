import { jobContext } from '../../shared/function-parts.ts';
import { createMailClient } from '../../shared/mail/sending/mail-client.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('mail-sender', settingNames, (settings, logger) =>
  compose({
    ...jobContext(settings, logger),
    send: createMailClient({ from: settings.MAIL_FROM, configurationSet: settings.MAIL_CONFIGURATION_SET }),
  }),
);
