import type { SettingName, SettingsOf } from './config.ts';
import type { Table } from './db/table.ts';
import type { Logger } from './logger.ts';
import type { StripeClient } from './payments/stripe-client.ts';
import type { ObjectStore } from './product-files/object-store.ts';
import type { JobSender } from './queue/job-sender.ts';

interface AllParts {
  table: Table;
  sender: JobSender;
  provider: StripeClient;
  /** Absent where no bucket is configured. */
  store: ObjectStore | undefined;
}

/** What a function is composed of: the parts that it names, its logger, and a clock. */
export type Parts<Name extends keyof AllParts> = Pick<AllParts, Name> & { logger: Logger; now?: () => Date };

/** The same with the settings that it names. */
export type Composition<Names extends readonly SettingName[], Part extends keyof AllParts = never> = Parts<Part> & {
  settings: SettingsOf<Names>;
};
