import * as z from 'zod/mini';
import { EmailRequestStatus } from '../../shared/buyer-email/email-request.ts';
import { findEmailRequest } from '../../shared/buyer-email/email-request-repository.ts';
import type { Needs } from '../../shared/context.ts';
import { invalidCursor } from '../../shared/db/cursor.ts';
import type { Table } from '../../shared/db/table.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Invoice, invoiceOf } from '../../shared/invoices/invoice.ts';
import { Activation, IssuedLicense, toActivation, toIssuedLicense } from '../../shared/licenses/license.ts';
import { getLicense, listDevices } from '../../shared/licenses/license-repository.ts';
import { pageQuery } from '../../shared/lists.ts';
import { MailStatus } from '../../shared/mail/outbox/mail.ts';
import { findMailStatus } from '../../shared/mail/outbox/mail-repository.ts';
import { OrderSummary } from '../../shared/order-search/order-summary.ts';
import { summarizeOrder } from '../../shared/order-search/summarize-orders.ts';
import { completionMailIdOf, type Order, wasPaid } from '../../shared/orders/order.ts';
import { getOwnOrder } from '../../shared/orders/own-order.ts';
import { noChargeFacts } from '../../shared/payments/payment-facts.ts';
import { readPayment } from '../../shared/payments/payment-repository.ts';
import { storedUri } from '../../shared/schemas.ts';
import { nameDevices } from './license/name-devices.ts';

/** A device of a license that was sold; its label is the buyer's own. */
export const SoldActivation = z.extend(z.omit(Activation, { deviceLabel: true }), { name: z.string() });

/** A sale with its license and a page of the activations; neither buyer nor key. */
export const SoldOrder = z.extend(OrderSummary, {
  license: z.optional(z.extend(IssuedLicense, { activations: z.array(SoldActivation) })),
  /** Where buyers release devices themselves. */
  manageUrl: z.optional(storedUri),
  completionMail: z.optional(MailStatus),
  /** As the buyer's receipt states it. */
  invoice: z.optional(Invoice),
  emailRequest: z.optional(EmailRequestStatus),
  nextCursor: z.optional(z.string()),
});

export const getOrderRoute = endpoint({
  operationId: 'getSoldOrder',
  method: 'GET',
  path: '/v1/orders/{order_id}',
  tag: 'Orders',
  summary: 'Shows one of the caller’s own sales with its license and its devices',
  description:
    '`limit` and `cursor` page through the activations of the license. Neither the buyer is shown, nor what the devices are called, nor the license key. Before a license is issued there is none, and an order of more seats or updates never has one. Each activation has a `name` that stays: `device 2` was the second that was ever activated. Buyers release their devices themselves at `manage_url`. `completion_mail` tells how the mail with the buyer’s link fared, `email_request` what became of the last request for another address.',
  audience: 'seller',
  tokenScopes: ['orders:read'],
  query: z.object(pageQuery),
  success: { status: 200, body: SoldOrder },
  errors: ['order_not_found', 'forbidden'],
  handle: async ({ params, query, identity }, c: Needs<'table' | 'now' | 'ENCRYPTION_KEYS' | 'PUBLIC_BASE_URL'>) => {
    const { order } = await getOwnOrder(c.table, identity, params.orderId);
    const [invoice, emailRequest, completionMail, license] = await Promise.all([
      readInvoice(c.table, order),
      wasPaid(order) ? findEmailRequest(c, order.id) : undefined,
      wasPaid(order) ? findMailStatus(c.table, order.id, completionMailIdOf(order)) : undefined,
      order.licenseId === undefined ? undefined : getLicense(c.table, order.licenseId),
    ]);
    if (!license) {
      if (query.cursor !== undefined) throw invalidCursor();
      return { ...(await summarizeOrder(c, order, undefined)), invoice, completionMail, emailRequest };
    }
    const page = await listDevices(c.table, license, query);
    const nameOf = await nameDevices(c.table, license, page, query.cursor === undefined);
    const at = c.now();
    const activations = page.items.map((device) => ({ ...toActivation(device), name: nameOf(device) }));
    const soldLicense = { ...toIssuedLicense(license, at), activations };
    const manageUrl = `${c.settings.PUBLIC_BASE_URL}/manage`;
    const { nextCursor } = page;
    return {
      ...(await summarizeOrder(c, order, license)),
      license: soldLicense,
      manageUrl,
      completionMail,
      invoice,
      emailRequest,
      nextCursor,
    };
  },
});

/** The payment is read where something may have been given back of an order that has an invoice. */
async function readInvoice(table: Table, order: Order): Promise<Invoice | undefined> {
  const { invoice, status, paymentIntentId } = order;
  if (!invoice || !wasPaid(order)) return undefined;
  const isWhole = status === 'paid' || paymentIntentId === undefined;
  return invoiceOf(order, isWhole ? noChargeFacts : (await readPayment(table, paymentIntentId)).charge);
}
