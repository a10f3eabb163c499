import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { monotonicFactory } from 'ulid';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { Call } from '../access/call.ts';
import { type Guard, GuardError } from '../access/guard.ts';
import { type Engine, isOwnHost, serve } from '../engines/engine.ts';
import type { ServiceEvent } from '../lambda/event-bus.ts';
import { createMailAccount, type MailAccount } from './mail-account.ts';
import { type Mail, type MailFiles, openMailFiles } from './mail-files.ts';
import { checkAddresses, MailRefusedError, mailCalls, readMail } from './mail-requests.ts';
import { simulatedEvents } from './mail-simulator.ts';

const logger = createLogger({ part: 'mail-outbox' });

export type MailOutbox = Engine & {
  listMails(): Promise<Mail[]>;
  /** Changes what the account may do from now on. */
  changeAccount(change: Partial<MailAccount>): void;
};

/** More than one machine sends, so that only those who lower it meet it. */
const defaultAccount: MailAccount = { max24HourSend: 1_000_000, maxSendRate: 500 };

interface OutboxOptions {
  directory?: string | undefined;
  account?: Partial<MailAccount>;
  /** The configuration sets that there are, with the types of events that each tells; any, without this. */
  sets?: ReadonlyMap<string, ReadonlySet<string>>;
  publish?: (event: ServiceEvent) => Promise<void>;
  /** Who may send; without it anybody. */
  guard?: Guard;
  /** The addresses and domains that are verified. */
  verified?: readonly string[];
  now?: () => number;
}

/** What a mail is sent with. */
interface MailService extends OutboxOptions {
  files: MailFiles;
  limits: ReturnType<typeof createMailAccount>;
  nextId: () => string;
  now: () => number;
}

/**
 * The part of the mail service (SES v2) that the app uses. Each mail is kept: as a file in `directory`, else in memory.
 * Mails to the mailbox simulator have the events that SES says they have.
 */
export async function startMailOutbox(options: OutboxOptions): Promise<MailOutbox> {
  const { directory, account = {}, now = Date.now } = options;
  const files = await openMailFiles(directory);
  const limits = createMailAccount({ ...defaultAccount, ...account }, now);
  const service = { ...options, files, limits, nextId: monotonicFactory(), now };
  const server = createServer((request, response) => {
    answer(service, request).then(
      (reply) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply)),
      (error) => refuse(response, refusalIn(error)),
    );
  });
  return { ...(await serve(server)), listMails: files.list, changeAccount: limits.change };
}

/** What a request asks for: the calls that must be allowed, and the reply. */
interface Operation {
  calls(service: MailService, body: Buffer): readonly Call[];
  run(service: MailService, body: Buffer): Promise<unknown>;
}

const operations: Readonly<Record<string, Operation>> = {
  'POST /v2/email/outbound-emails': { calls: ({ verified = [] }, body) => mailCalls(readMail(body), verified), run: send },
  'GET /v2/email/account': {
    calls: () => [{ action: 'ses:GetAccount', resource: '*' }],
    run: async ({ limits }) => limits.describe(),
  },
};

/** Every call passes here, and only here. */
async function answer(service: MailService, request: IncomingMessage): Promise<unknown> {
  const operation = operations[`${request.method} ${request.url}`];
  if (!operation || !isOwnHost(request.headers.host)) throw new Error('unknown');
  const body = await buffer(request);
  service.guard?.authorize('ses', request, body, () => operation.calls(service, body));
  return operation.run(service, body);
}

async function send({ files, limits, nextId, now, sets, publish = async () => undefined }: MailService, body: Buffer): Promise<unknown> {
  const email = readMail(body);
  const { Subject, Body, Headers = [] } = email.Content.Simple;
  const types = typesOf(sets, email.ConfigurationSetName);
  checkAddresses(email);
  limits.admit(email);
  const id = nextId();
  const at = new Date(now());
  await files.keep(id, {
    from: email.FromEmailAddress,
    reply_to: email.ReplyToAddresses?.join(', '),
    headers: Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value])),
    to: email.Destination.ToAddresses.join(', '),
    subject: Subject?.Data ?? '',
    text: Body.Text?.Data ?? '',
    html: Body.Html?.Data ?? '',
    sent_at: at.toISOString(),
  });
  // The caller does not wait for what becomes of its mail.
  void Promise.all(simulatedEvents(email, { messageId: id, at, types }).map(publish)).catch((error) =>
    logger.warn('mail_event_not_published', { error }),
  );
  return { MessageId: id };
}

function typesOf(sets: OutboxOptions['sets'], set: string | undefined): ReadonlySet<string> {
  const types = set === undefined ? new Set<string>() : (sets?.get(set) ?? (sets ? undefined : new Set<string>()));
  if (!types) throw new MailRefusedError('NotFoundException', 404, `Configuration set <${set}> does not exist.`);
  return types;
}

function refuse(response: ServerResponse, { status, name, message }: MailRefusedError): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'x-amzn-ErrorType': name }).end(JSON.stringify({ message }));
}

/** Any failure but a refusal is the caller's: what it sent is no request that is known here. */
function refusalIn(error: unknown): MailRefusedError {
  if (error instanceof MailRefusedError) return error;
  if (error instanceof GuardError) return new MailRefusedError(error.code, 403, error.message);
  return new MailRefusedError('BadRequestException', 400, 'Bad request');
}
