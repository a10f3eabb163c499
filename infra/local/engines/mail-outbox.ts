import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { monotonicFactory } from 'ulid';
import * as z from 'zod/mini';
import { type Engine, freePort } from './engine.ts';
import { isOwnHost } from './own-host.ts';

const Content = z.optional(z.object({ Data: z.string() }));
/** As strict as the mail service: a header that it takes is ASCII on one line, and none of those that it sets itself. */
const headerName = z.string().check(
  z.regex(/^[!-9;-~]{1,126}$/),
  z.refine((name) => !/^(bcc|cc|content-.*|date|from|message-id|mime-version|reply-to|return-path|subject|to)$/i.test(name)),
);
const headerValue = z.string().check(z.regex(/^[ -~]{0,870}$/));
const mailbox = z.string().check(z.regex(/^[ -~]{1,900}$/));
const SendEmail = z.object({
  FromEmailAddress: mailbox,
  ReplyToAddresses: z.optional(z.array(mailbox)),
  Destination: z.object({ ToAddresses: z.array(z.string()) }),
  Content: z.object({
    Simple: z.object({
      Subject: Content,
      Body: z.object({ Text: Content, Html: Content }),
      Headers: z.optional(z.array(z.object({ Name: headerName, Value: headerValue }))),
    }),
  }),
});

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

export type MailOutbox = Engine & { listMails(): Promise<Mail[]> };

/** Takes SendEmail requests of the mail service (SES v2) and keeps each mail: as a file in `directory`, else in memory. */
export async function startMailOutbox({ directory }: { directory?: string | undefined }): Promise<MailOutbox> {
  if (directory !== undefined) await mkdir(directory, { recursive: true, mode: 0o700 });
  const inMemory: Mail[] = [];
  const nextId = monotonicFactory();

  async function keep(id: string, mail: Mail): Promise<void> {
    if (directory === undefined) inMemory.push(mail);
    else await writeDurably(join(directory, `${id}.json`), JSON.stringify(mail));
  }

  async function accept(request: IncomingMessage): Promise<unknown> {
    const email = z.parse(SendEmail, JSON.parse(await textOf(request)));
    const { Subject, Body, Headers = [] } = email.Content.Simple;
    const id = nextId();
    await keep(id, {
      from: email.FromEmailAddress,
      reply_to: email.ReplyToAddresses?.join(', '),
      headers: Object.fromEntries(Headers.map(({ Name, Value }) => [Name, Value])),
      to: email.Destination.ToAddresses.join(', '),
      subject: Subject?.Data ?? '',
      text: Body.Text?.Data ?? '',
      html: Body.Html?.Data ?? '',
      sent_at: new Date().toISOString(),
    });
    return { MessageId: id };
  }

  const server = createServer((request, response) => {
    const isKnown = request.method === 'POST' && request.url === '/v2/email/outbound-emails' && isOwnHost(request.headers.host);
    const outcome = isKnown ? accept(request) : Promise.reject(new Error('unknown'));
    outcome.then(
      (reply) => response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply)),
      () =>
        response
          .writeHead(400, { 'Content-Type': 'application/json', 'x-amzn-ErrorType': 'BadRequestException' })
          .end('{"message":"Bad request"}'),
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
