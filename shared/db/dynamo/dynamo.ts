import type {
  BatchGetCommandInput,
  DeleteCommandInput,
  GetCommandInput,
  PutCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

export type Item = Record<string, unknown>;

/**
 * The requests that are made to DynamoDB, with items in plain JavaScript. Each is tried up to four times within the
 * `requestLimits`; a transaction is made once however often it is tried.
 *
 * @throws ConditionFailedError, TransactionCancelled, else an error whose `name` is DynamoDB's code for it; of the network
 * an error with a `code`, or a TimeoutError.
 */
export interface Dynamo {
  get(request: GetCommandInput): Promise<{ item: Item | undefined }>;
  /** What was not read is asked for again with `rest`. */
  batchGet(request: BatchGetCommandInput): Promise<{ itemsOf: Record<string, Item[]>; rest: BatchGetCommandInput['RequestItems'] }>;
  query(request: QueryCommandInput): Promise<{ items: Item[]; count: number; lastKey: Item | undefined }>;
  put(request: PutCommandInput): Promise<void>;
  update(request: UpdateCommandInput): Promise<{ attributes: Item | undefined }>;
  delete(request: DeleteCommandInput): Promise<void>;
  transactWrite(request: TransactWriteCommandInput): Promise<void>;
}

/** What bounds a request of every client, well inside the gateway's 30 s. */
export const requestLimits = { maxAttempts: 4, connectionTimeout: 1000, requestTimeout: 3000 } as const;

/** The condition of a write did not hold. */
export class ConditionFailedError extends Error {
  /** The item that was there, as the failed condition saw it, where the request asked for it. */
  readonly old: Item | undefined;
  constructor(old: Item | undefined) {
    super('A condition of a write did not hold.');
    this.name = 'ConditionFailedError';
    this.old = old;
  }
}

/** Nothing of a transaction was written. */
export class TransactionCancelled extends Error {
  /** For each write, in their order, DynamoDB's code, and the item that stood there where its condition failed. */
  readonly reasons: readonly { code: string; old: Item | undefined }[];
  constructor(reasons: TransactionCancelled['reasons']) {
    super(`A transaction was cancelled: ${reasons.map(({ code }) => code).join(', ')}`);
    this.name = 'TransactionCancelled';
    this.reasons = reasons;
  }
}
