import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Table } from '../../shared/db/table.ts';
import { eachDeadJob } from '../../shared/jobs/dead-job-repository.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { listProducts } from '../../shared/products/product-repository.ts';
import { queueOfJob } from '../../shared/queue/messages.ts';
import { findSellerOfUser, listSellers } from '../../shared/sellers/seller-repository.ts';
import { queueDefinitions } from '../constructs/queues.ts';
import type { LocalQueue } from './engines/provision.ts';
import { firstOwner } from './examples/example-data.ts';
import type { Examples } from './examples/examples.ts';
import type { LocalRequest } from './gateway/api-gateway.ts';
import { type HttpReply, jsonReply, pageReply, redirectTo } from './http-reply.ts';
import type { IdentityProvider } from './identity/identity-provider.ts';
import { newcomerHint } from './identity/people.ts';
import { createLocalReceiver, type ReceivedRequest } from './local-receiver.ts';
import { mailListPage, mailPage } from './pages/mail-pages.ts';
import { type ConsoleLinks, type QueueCounts, startPage } from './pages/start-page.ts';
import type { MailOutbox } from './services/mail-outbox.ts';

const shownProducts = 50;

/** What there is where this machine is its own identity provider. */
export interface LocalIdentity {
  provider: Pick<IdentityProvider, 'answer'>;
  examples: Examples;
  /** Where the console is, if a function serves it, and who signs in there as an admin. */
  console: { address: string; admin: string | undefined } | undefined;
}

interface PagesOptions {
  outbox: Pick<MailOutbox, 'listMails'>;
  sqs: SQSClient;
  queues: readonly LocalQueue[];
  table: Table;
  /** Where the fake payment provider is, if it is in use. */
  paymentEndpoint: string | undefined;
  identity?: LocalIdentity | undefined;
}

/** What a developer wants to see, and the cloud does not have: `/__local`, and `/` for who comes with a browser. */
export function createLocalPages(options: PagesOptions) {
  const { outbox, identity } = options;
  const receiver = createLocalReceiver();
  return async (request: LocalRequest): Promise<HttpReply | undefined> => {
    const { method, path, accept } = request;
    const taken = (await receiver.answer(request)) ?? (await identity?.provider.answer(request));
    if (taken) return taken;
    if (identity && method === 'POST' && path === '/__local/examples') return makeExamples(identity, accept);
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    switch (path) {
      case '/':
        // Programs get the 404 that they get in the cloud.
        return accept.includes('text/html') ? redirectTo('/__local') : undefined;
      case '/__local':
      case '/__local/':
        return showStart(options, receiver.list(), request.headers['host'] ?? '');
      case '/__local/outbox':
        return jsonReply({ items: await outbox.listMails() });
      case '/__local/queues':
        return jsonReply({ items: await describeQueues(options) });
      case '/__local/mails':
        return pageReply(mailListPage(await outbox.listMails()));
      default: {
        const number = /^\/__local\/mails\/([1-9]\d{0,8})$/.exec(path)?.[1];
        return number === undefined ? undefined : showMail(outbox, Number(number));
      }
    }
  };
}

async function countsOf(sqs: SQSClient, { url }: LocalQueue) {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible', 'ApproximateNumberOfMessagesDelayed'],
    }),
  );
  const { ApproximateNumberOfMessages: ready, ApproximateNumberOfMessagesDelayed: delayed } = Attributes;
  return { waiting: Number(ready) + Number(delayed), inFlight: Number(Attributes.ApproximateNumberOfMessagesNotVisible) };
}

/** Dead are the jobs that were given up, and the messages that no worker could even read. */
async function describeQueue({ sqs, queues }: PagesOptions, queue: LocalQueue, deadJobs: readonly Job[]): Promise<QueueCounts> {
  const deadLetters = queues.find(({ arn }) => arn === queue.deadLetterArn);
  const { waiting, inFlight } = await countsOf(sqs, queue);
  const unread = deadLetters ? (await countsOf(sqs, deadLetters)).waiting : 0;
  const dead = unread + deadJobs.filter((job) => carries(queue, job)).length;
  return { name: queue.name, waiting, in_flight: inFlight, dead };
}

async function describeQueues(options: PagesOptions): Promise<QueueCounts[]> {
  const deadJobs: Job[] = [];
  for await (const job of eachDeadJob(options.table)) deadJobs.push(job);
  return Promise.all(
    options.queues.filter(({ deadLetterArn }) => deadLetterArn !== undefined).map((queue) => describeQueue(options, queue, deadJobs)),
  );
}

/** Into the console as somebody: the seller of the examples, else the oldest, whom the provider asks for where there is none. */
async function linkConsole(table: Table, { console: site }: LocalIdentity): Promise<ConsoleLinks | undefined> {
  if (site === undefined) return undefined;
  const example = await findSellerOfUser(table, firstOwner.userId);
  const [oldest] = (await listSellers(table, { limit: 1 })).items;
  const shown = example ?? oldest;
  return { ...site, seller: shown?.ownerUserId ?? firstOwner.userId, hasSeller: shown !== undefined, someoneNew: newcomerHint };
}

async function showStart(options: PagesOptions, received: readonly ReceivedRequest[], host: string): Promise<HttpReply> {
  const { table, outbox, identity, paymentEndpoint } = options;
  const [{ items }, mails, counts, links] = await Promise.all([
    listProducts(table, { limit: shownProducts, newestFirst: true }),
    outbox.listMails(),
    describeQueues(options),
    identity && linkConsole(table, identity),
  ]);
  const shown = { products: items, mails, received, queues: counts, paymentEndpoint };
  const hasExamples = identity !== undefined && paymentEndpoint !== undefined;
  return pageReply(startPage({ ...shown, console: links, hasExamples, address: `http://${host}` }));
}

/** Whoever pressed the button sees the page again, with the examples. */
async function makeExamples({ examples }: LocalIdentity, accept: string): Promise<HttpReply> {
  const reply = await examples.make();
  return reply.status < 300 && accept.includes('text/html') ? redirectTo('/__local') : reply;
}

async function showMail(outbox: PagesOptions['outbox'], number: number): Promise<HttpReply | undefined> {
  const mail = (await outbox.listMails())[number - 1];
  return mail && pageReply(mailPage(mail));
}

/** The construct of a queue gives its resource the name. */
const carries = ({ resource }: LocalQueue, { task }: Job) => resource.id.includes(`.${queueDefinitions[queueOfJob[task.kind]].id}Queue`);
