import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { monotonicFactory } from 'ulid';
import * as z from 'zod/mini';
import { createLogger } from '../../../shared/logger.ts';
import type { ServiceEvent } from '../lambda/event-bus.ts';
import { type Engine, freePort } from './engine.ts';
import { createMailAccount, type MailAccount } from './mail-account.ts';
import { MailRefusal, SendEmail } from './mail-requests.ts';
import { simulatedEvents } from './mail-simulator.ts';
import { isOwnHost } from './own-host.ts';

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
  now = Date.now,
}: {
  directory?: string | undefined;
  account?: Partial<MailAccount>;
  /** The configuration sets that there are, with the types of events that each tells; any, without this. */
  sets?: ReadonlyMap<string, ReadonlySet<string>>;
  publish?: (event: ServiceEvent) => Promise<void>;
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

  async function send(request: IncomingMessage): Promise<unknown> {
    const email = z.parse(SendEmail, JSON.parse(await textOf(request)));
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

  const operations: Readonly<Record<string, (request: IncomingMessage) => Promise<unknown>>> = {
    'POST /v2/email/outbound-emails': send,
    'GET /v2/email/account': async () => limits.describe(),
  };

  /** Every call passes here, and only here. */
  async function answer(request: IncomingMessage): Promise<unknown> {
    const operation = operations[`${request.method} ${request.url}`];
    if (!operation || !isOwnHost(request.headers.host)) throw new Error('unknown');
    return operation(request);
  }

  const server = createServer((request, response) => {
    answer(request).then(
      (reply) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply)),
      (error) => {
        const refusal = error instanceof MailRefusal ? error : new MailRefusal('BadRequestException', 400, 'Bad request');
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

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
