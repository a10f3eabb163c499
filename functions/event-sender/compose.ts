import type { SettingsOf } from '../../shared/config.ts';
import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import type { Logger } from '../../shared/logger.ts';
import { createWorker } from '../../shared/queue/create-worker.ts';
import type { JobSender } from '../../shared/queue/job-sender.ts';
import { deliveryLeaseSeconds as leaseSeconds } from '../../shared/webhook-endpoints/delivery.ts';
import type { settingNames } from './env.ts';

/** The worker that sends events to sellers' endpoints. */
export function compose({
  logger,
  table,
  sender,
  now = () => new Date(),
}: {
  settings: SettingsOf<typeof settingNames>;
  logger: Logger;
  table: Table;
  sender: JobSender;
  now?: () => Date;
}) {
  return createWorker({ run: {}, jobs: createJobRepository({ table, now }), sender, logger, leaseSeconds, now });
}
