import type { SettingName, Settings } from './config.ts';
import type { Table } from './db/table.ts';
import type { CheckRateLimit } from './http/rate-limit.ts';
import type { JobTask } from './jobs/job.ts';
import type { IssueLease } from './leases/lease.ts';
import type { VerifyProof } from './leases/update-proof.ts';
import type { IssueUpdateFeed } from './leases/update-ticket.ts';
import type { Logger } from './logging/logger.ts';
import type { SendMail } from './mail/sending/mail-client.ts';
import type { ProviderPace } from './payments/provider/provider-pace.ts';
import type { StripeClient } from './payments/provider/stripe-client.ts';
import type { PartStore } from './product-files/parts/part-store.ts';
import type { ObjectStore } from './product-files/storage/object-store.ts';
import type { SlugMemory } from './products/slug-memory.ts';
import type { Catalogs } from './updates/catalog/catalogs.ts';
import type { SendRequest } from './webhook-endpoints/requests/send-request.ts';

/** All that a function may be given besides its settings. What outlives a call is made once, where the function starts. */
export interface Parts {
  table: Table;
  now: () => Date;
  logger: Logger;
  /** A number in [0, 1). */
  random: () => number;
  randomBytes: (size: number) => Buffer;
  /** Sends a committed job to its worker. A failure is logged and no more: the sweeper sends it again. */
  sendJob: (task: JobTask, delaySeconds?: number) => Promise<void>;
  /** The same for who must know of a failure. */
  sendJobOrFail: (task: JobTask, delaySeconds?: number) => Promise<void>;
  provider: StripeClient;
  /** The turns of this instance at the provider. */
  pace: ProviderPace;
  /** Absent where no bucket is configured. */
  store: ObjectStore | undefined;
  /** The same bucket, for uploads in parts. */
  partStore: PartStore | undefined;
  /** What alone of the bucket who only leads to its files has. */
  downloadSigner: Pick<ObjectStore, 'presignDownload'> | undefined;
  /** Which products this instance found at which slugs. */
  slugs: SlugMemory;
  /** The published releases that this instance read. */
  catalogs: Catalogs;
  /** Spends from what the caller may do in a while, which all instances count. @throws AppError rate_limited */
  limitRate: CheckRateLimit;
  /** The same, counted by this instance alone: for paths that must not write. */
  limitInMemory: CheckRateLimit;
  send: SendMail;
  /** Sends one request to a seller's endpoint. */
  sendRequest: SendRequest;
  issueLease: IssueLease;
  issueUpdateFeed: IssueUpdateFeed;
  verifyProof: VerifyProof;
}

/**
 * What a function works with: parts by their names, settings by theirs. `Needs<'table' | 'BUYER_MOVES'>` has a `table`, and
 * `settings` with that one.
 */
export type Needs<Name extends keyof Parts | SettingName> = Pick<Parts, Extract<Name, keyof Parts>> &
  ([Extract<Name, SettingName>] extends [never] ? unknown : { settings: Pick<Settings, Extract<Name, SettingName>> });
