import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { monotonicFactory } from 'ulid';
import * as z from 'zod/mini';
import { createLogger } from '../../../shared/logger.ts';
import type { Call } from '../access/call.ts';
import { type Guard, GuardError } from '../access/guard.ts';
import { mailCalls } from '../access/mail-calls.ts';
import { type Engine, freePort } from '../engines/engine.ts';
import { isOwnHost } from '../engines/own-host.ts';
import type { ServiceEvent } from '../lambda/event-bus.ts';
import { createMailAccount, type MailAccount } from './mail-account.ts';
import { MailRefusal, readMail, sentBy } from './mail-requests.ts';
import { simulatedEvents } from './mail-simulator.ts';

const logger = createLogger({ part: 'mail-outbox' });

const Mail = z.object({
  from: z.optional(z.string()),
  reply_to: z.optional(z.string()),
  to: z.string(),
  subject: z.string(),
  headers: z.optional(z.record(z.string(), z.string())),
  text: z.string(),
  html: z.string(),
  sent_at: z.string(),
});
export type Mail = z.infer<typeof Mail>;

export type MailOutbox = Engine & {
  listMails(): Promise<Mail[]>;
  /** Changes what the account may do from now on. */
  changeAccount(change: Partial<MailAccount>): void;
};

/** What a request asks for: the calls that must be allowed, and the reply. */
interface Operation {
  calls(body: Buffer): readonly Call[];
  run(body: Buffer): Promise<unknown>;
}

/** More than one machine sends, so that only those who lower it meet it. */
const usualAccount: MailAccount = { max24HourSend: 1_000_000, maxSendRate: 500 };

/**
 * The part of the mail service (SES v2) that the app uses. Each mail is kept: as a file in `directory`, else in memory.
 * Mails to the mailbox simulator have the events that SES says they have.
 */
export async function startMailOutbox({
  directory,
  account = {},
  sets,
  publish = async () => undefined,
  guard,
  verified = [],
  now = Date.now,
}: {
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
}): Promise<MailOutbox> {
  if (directory !== undefined) await mkdir(directory, { recursive: true, mode: 0o700 });
  const inMemory: Mail[] = [];
  const nextId = monotonicFactory();
  const limits = createMailAccount({ ...usualAccount, ...account }, now);

  async function keep(id: string, mail: Mail): Promise<void> {
    if (directory === undefined) inMemory.push(mail);
    else await writeDurably(join(directory, `${id}.json`), JSON.stringify(mail));
  }

  async function send(body: Buffer): Promise<unknown> {
    const email = readMail(body);
    const { Subject, Body, Headers = [] } = email.Content.Simple;
    const types = typesOf(email.ConfigurationSetName);
    limits.admit(email);
    const id = nextId();
    const at = new Date(now());
    await keep(id, {
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

  function typesOf(set: string | undefined): ReadonlySet<string> {
    const types = set === undefined ? new Set<string>() : (sets?.get(set) ?? (sets ? undefined : new Set<string>()));
    if (!types) throw new MailRefusal('NotFoundException', 404, `Configuration set <${set}> does not exist.`);
    return types;
  }

  const operations: Readonly<Record<string, Operation>> = {
    'POST /v2/email/outbound-emails': { calls: (body) => mailCalls(sentBy(readMail(body)), verified), run: send },
    'GET /v2/email/account': { calls: () => [{ action: 'ses:GetAccount', resource: '*' }], run: async () => limits.describe() },
  };

  /** Every call passes here, and only here. */
  async function answer(request: IncomingMessage): Promise<unknown> {
    const operation = operations[`${request.method} ${request.url}`];
    if (!operation || !isOwnHost(request.headers.host)) throw new Error('unknown');
    const body = await buffer(request);
    guard?.admit('ses', request, body, () => operation.calls(body));
    return operation.run(body);
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply)),
      (error) => {
        const refusal = refusalIn(error);
        response
          .writeHead(refusal.status, { 'Content-Type': 'application/json', 'x-amzn-ErrorType': refusal.name })
          .end(JSON.stringify({ message: refusal.message }));
      },
    );
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));

  return {
    endpoint: `http://127.0.0.1:${port}`,

    /** Every mail, newest last. */
    async listMails() {
      if (directory === undefined) return inMemory;
      const files = (await readdir(directory)).filter((file) => file.endsWith('.json')).sort();
      return Promise.all(files.map(async (file) => z.parse(Mail, JSON.parse(await readFile(join(directory, file), 'utf8')))));
    },

    changeAccount: limits.change,

    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The file is there whole or not at all, also after a power cut. */
async function writeDurably(path: string, text: string): Promise<void> {
  const unfinished = await open(`${path}.part`, 'w', 0o600);
  try {
    await unfinished.writeFile(text);
    await unfinished.sync();
  } finally {
    await unfinished.close();
  }
  await rename(`${path}.part`, path);
}

/** Any failure but a refusal is the caller's: what it sent is no request that is known here. */
function refusalIn(error: unknown): MailRefusal {
  if (error instanceof MailRefusal) return error;
  if (error instanceof GuardError) return new MailRefusal(error.code, 403, error.message);
  return new MailRefusal('BadRequestException', 400, 'Bad request');
}
