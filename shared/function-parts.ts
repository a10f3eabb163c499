import type { SettingName, SettingsOf } from './config.ts';
import { createSdkDynamo } from './db/sdk-dynamo.ts';
import { createTable, type Table } from './db/table.ts';
import type { Logger } from './logger.ts';
import type { StripeClient } from './payments/stripe-client.ts';
import type { ObjectStore } from './product-files/object-store.ts';
import type { PartStore } from './product-files/parts/part-store.ts';
import { createJobSender, type JobSender } from './queue/job-sender.ts';
import type { QueueSetting } from './queue/messages.ts';
import { createSdkSend } from './queue/send-by-sdk.ts';

interface AllParts {
  table: Table;
  sender: JobSender;
  provider: StripeClient;
  /** Absent where no bucket is configured. */
  store: ObjectStore | undefined;
  /** The same bucket, for uploads in parts. */
  partStore: PartStore | undefined;
}

/** What a function is composed of: the parts that it names, its logger, and a clock. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name> & { logger: Logger; now?: (() => Date) | undefined };

/** The same with the settings that it names. */
export type Composition<Names extends readonly SettingName[], Part extends keyof AllParts = never> = Parts<Part> & {
  settings: SettingsOf<Names>;
};

/** What most functions are composed of in Lambda: the real table, beside settings and logger. */
export const tableParts = <Named extends { TABLE_NAME: string }>(settings: Named, logger: Logger) => ({
  settings,
  logger,
  table: createTable({ tableName: settings.TABLE_NAME, dynamo: createSdkDynamo() }),
});

/** The same with what sends jobs, to the queues that the settings name. */
export const jobParts = <Named extends { TABLE_NAME: string } & Partial<Record<QueueSetting, string>>>(
  settings: Named,
  logger: Logger,
) => ({
  ...tableParts(settings, logger),
  sender: createJobSender({ queues: settings, logger, sendMessage: createSdkSend() }),
});
