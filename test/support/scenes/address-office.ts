import { listAudit } from '../../../shared/audit/audit-repository.ts';
import { type CompletionToken, mintCompletionToken, verifyCompletionToken } from '../../../shared/buyer-access/completion-token.ts';
import { stockCode } from '../../../shared/code-batches/code-stock-repository.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { newId, type ProductId } from '../../../shared/ids.ts';
import { addJob } from '../../../shared/jobs/job-repository.ts';
import { createLogger } from '../../../shared/logging/logger.ts';
import type { OutgoingMail } from '../../../shared/mail/sending/mail-client.ts';
import { UndeliverableMailError } from '../../../shared/mail/sending/send-failure.ts';
import type { Order } from '../../../shared/orders/order.ts';
import type { Faults } from '../engines/faults.ts';
import { readContents } from '../engines/table-contents.ts';
import { createTestTable } from '../engines/test-table.ts';
import { createService } from '../http/service.ts';
import { sessionEvent } from '../samples/provider-events.ts';
import { createMailer, createProjectionHarness, sampleOrder, toSqsEvent } from './projection-harness.ts';

const tokenOf = ({ text }: OutgoingMail) => /#token=(\S+)/.exec(text)?.[1];

/** Sales, purchases, admin and the mail worker over one table; `faults` stand between all of them and what is outside. */
export async function openAddressOffice({ faults, encryptionKeys }: { faults?: Faults; encryptionKeys?: Keyring } = {}) {
  const engine = await createTestTable({ faults });
  let clock = Date.now();
  const now = () => new Date(clock);
  const logged: string[] = [];
  const logger = createLogger({}, (line) => logged.push(line));
  const harness = await createProjectionHarness({ table: engine.table, now, logger, encryptionKeys });
  const { settings, queue, table } = harness;
  const mailbox: OutgoingMail[] = [];
  const outside = faults?.call ?? ((_name, make) => make());
  /** Whether the mail service refuses every address for good. */
  const service = { refuses: false };
  const send = (mail: OutgoingMail) =>
    outside('SendEmail', async () => {
      if (service.refuses) throw new UndeliverableMailError('recipient_unverified');
      mailbox.push(mail);
    });
  const open = () => ({
    call: createService({ settings: { ...settings, ADMIN_ALLOWLIST: ['sub:root'] }, logger, table, sender: queue, now, store: undefined }),
    mailer: createMailer(harness, { send, logger, now }),
  });
  let opened = open();
  const as = (userId: string, method: string, path: string, body: unknown) =>
    opened.call(method, path, { headers: { 'X-User-ID': userId }, body });
  const asAdmin = (method: string, path: string, body?: unknown) => as('root', method, `/v1/admin${path}`, body);
  const asSeller = (userId: string, method: string, path: string, body?: unknown) => as(userId, method, `/v1/orders${path}`, body);
  const ask = (path: string, body: object, headers = {}) => opened.call('POST', `/v1/purchases/${path}`, { body, headers });

  async function token(order: Order, use: CompletionToken['use'] = 'redirect', lifetime = 3600_000): Promise<string> {
    const expiresAt = new Date(now().getTime() + lifetime);
    return mintCompletionToken({ orderId: order.id, use, expiresAt }, now(), settings.TOKEN_KEYS);
  }

  return {
    ...harness,
    engine,
    logged,
    mailbox,
    service,
    mailer: (event: Parameters<typeof opened.mailer>[0]) => opened.mailer(event),
    token,
    /** Starts all of it anew, with these keys. */
    setEncryptionKeys(keys: string) {
      Object.assign(settings, { ENCRYPTION_KEYS: Keyring.parse(keys) });
      opened = open();
    },
    passTime(milliseconds: number) {
      clock += milliseconds;
    },

    /** A paid order, under this address if there is one, whose issuance mail is not sent yet. */
    async buy(email: string | null = 'typo@example.com', change: Partial<Order> = {}): Promise<Order> {
      const order = await harness.addOrder(change);
      await harness.deliver(sessionEvent(order, 'completed', { customer_details: { email } }));
      return order;
    },

    /** A paid order of a product without codes: it waits for one. */
    buyWaiting(email: string | null = 'typo@example.com', change: Partial<Order> = {}): Promise<Order> {
      return this.buy(email, { terms: { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' }, ...change });
    },

    /** Puts a code into stock, and serves whoever waits for it. */
    async serve(productId: ProductId): Promise<void> {
      await table.write(stockCode(harness, { productId, batchId: newId('batch'), code: newId('batch'), codeHash: newId('batch') }));
      await table.write(addJob(harness, { kind: 'serve-waiting-orders', productId }));
      await harness.project(toSqsEvent([`serve-waiting-orders:${productId}`]));
    },

    async correct(order: Order, buyer_email: unknown, given?: unknown) {
      return ask('buyer-email', { token: given === undefined ? await token(order) : given, buyer_email });
    },
    asAdmin,
    asSeller,
    correctAsAdmin: ({ id }: Pick<Order, 'id'>, buyer_email: unknown) => asAdmin('POST', `/orders/${id}/buyer-email`, { buyer_email }),
    resendAsAdmin: ({ id }: Pick<Order, 'id'>) => asAdmin('POST', `/orders/${id}/resend-link`),
    complete: (body: object) => ask('complete', body),
    download: (body: object) => ask(`files/${newId('file')}/download-intent`, body),
    resend: (buyer_email: unknown, headers: Record<string, string> = {}) => ask('resend-link', { buyer_email }, headers),

    /** Runs the mail jobs that were sent, with those that the projector added; returns the mails that went out. */
    async work(): Promise<OutgoingMail[]> {
      const { Records } = queue.take();
      await opened.mailer({ Records: Records.filter(({ body }) => body.includes('send-')) });
      return mailbox.splice(0);
    },
    /** The token of the link in a mail, and what it says. */
    async linkIn(mail: OutgoingMail | undefined) {
      const found = mail && tokenOf(mail);
      if (found === undefined) return undefined;
      return { token: found, ...(await verifyCompletionToken(found, now(), settings.TOKEN_KEYS)) };
    },

    /** Every mail record of an order. */
    async mailsOf({ id }: Order) {
      const items = (await readContents(engine)).filter(({ pk, sk }) => pk === `ORDER#${id}` && String(sk).startsWith('MAIL#'));
      return items.map(({ kind, state }) => `${kind} ${state}`).toSorted();
    },
    async actionsOn({ id }: Order) {
      const { items } = await listAudit(table, { targetId: id, limit: 100 });
      return items.filter(({ action }) => action !== 'order.update_status').map(({ actor, action }) => `${actor} ${action}`);
    },
  };
}
export type AddressOffice = Awaited<ReturnType<typeof openAddressOffice>>;
