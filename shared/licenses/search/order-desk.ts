import type { SettingsOf } from '../../config.ts';
import type { Table } from '../../db/table.ts';
import type { JobTask } from '../../jobs/job.ts';
import { createMailRepository } from '../../mail/mail-repository.ts';
import { createBuyerEmailService } from '../../orders/buyer-email-service.ts';
import { createEmailRequestRepository } from '../../orders/email-requests/email-request-repository.ts';
import { createEmailRequestService } from '../../orders/email-requests/email-request-service.ts';
import { createOrderRepository } from '../../orders/order-repository.ts';
import { createLicenseRepository } from '../license-repository.ts';
import { createLicenseService } from '../license-service.ts';
import { createOrderSearch } from './order-search.ts';

/** What admins look after all orders with, and sellers after their own. */
export function createOrderDesk(options: {
  settings: SettingsOf<readonly ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS']>;
  table: Table;
  /** Tells the mail worker of a committed job. */
  sendJob: (task: JobTask) => Promise<void>;
  now: () => Date;
}) {
  const { settings, table, sendJob, now } = options;
  const { LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys } = settings;
  const buyerEmails = createBuyerEmailService({ table, sendJob, encryptionKeys, now });
  return {
    orders: createOrderRepository({ table }),
    mails: createMailRepository({ table }),
    licenseRepository: createLicenseRepository({ table }),
    licenses: createLicenseService({ table, now }),
    buyerEmails,
    emailRequests: createEmailRequestService({ table, buyerEmails, encryptionKeys, now }),
    requestRepository: createEmailRequestRepository({ table, now }),
    search: createOrderSearch({ table, peppers, encryptionKeys, now }),
    now,
  };
}
