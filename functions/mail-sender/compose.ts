import { consoleUrlOf } from '../../shared/console/console-links.ts';
import type { Composition } from '../../shared/function-parts.ts';
import type { OutgoingMail, SendMail } from '../../shared/mail/mail-client.ts';
import { UndeliverableMailError } from '../../shared/mail/sending/send-failure.ts';
import { operatorOf } from '../../shared/operator.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { settingNames } from './declaration.ts';
import { createReceive } from './receive.ts';
import { createRecordReport } from './record-report.ts';
import { createSendEndpointNotice } from './send-endpoint-notice.ts';
import { createSendLinks } from './send-links.ts';
import { createSendMail } from './send-mail.ts';
import { createSendReviewNotice } from './send-review-notice.ts';
import { createSendTokenNotice } from './send-token-notice.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

/**
 * The worker that sends the mails of the outbox, those with fresh links, and what sellers are told of their endpoints, of reviews and of new API tokens;
 * it also takes what the mail service reports of the mails of the outbox.
 */
export function compose({
  settings,
  logger,
  table,
  send,
  sender,
  now = () => new Date(),
}: Composition<typeof settingNames, 'table' | 'sender'> & { send: SendMail }) {
  const { PUBLIC_BASE_URL: publicBaseUrl, ENCRYPTION_KEYS: encryptionKeys, TOKEN_KEYS: tokenKeys } = settings;
  const common = { table, operator: operatorOf(settings), publicBaseUrl, encryptionKeys, tokenKeys, now };
  const run = {
    'send-mail': createSendMail({ ...common, send, logger }),
    'send-endpoint-notice': createSendEndpointNotice({ ...common, sendOrDrop }),
    'send-review-notice': createSendReviewNotice({ ...common, sendOrDrop, consoleUrl: consoleUrlOf(settings) }),
    'send-token-notice': createSendTokenNotice({ ...common, sendOrDrop }),
    'send-links': createSendLinks({ ...common, sendOrDrop }),
  };
  return createReceive({
    work: createWorker({ run, table, sender, logger, leaseSeconds, now }),
    recordReport: createRecordReport({ table, logger, now }),
    logger,
  });

  /** For mails that nothing is recorded about. */
  async function sendOrDrop(mail: OutgoingMail): Promise<'sent' | 'undeliverable'> {
    try {
      await send(mail);
      return 'sent';
    } catch (error) {
      if (!(error instanceof UndeliverableMailError)) throw error;
      logger.error('mail_undeliverable', { reference: mail.reference, reason: error.reason });
      return 'undeliverable';
    }
  }
}
