import * as z from 'zod/mini';
import { badCursor } from '../../shared/db/cursor.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { Invoice, invoiceOf } from '../../shared/invoices/invoice.ts';
import { Activation, IssuedLicense, toActivation, toIssuedLicense } from '../../shared/licenses/license.ts';
import type { LicenseRepository } from '../../shared/licenses/license-repository.ts';
import { OrderSummary, summarizeOrder } from '../../shared/licenses/search/order-summary.ts';
import { MailStatus } from '../../shared/mail/mail.ts';
import type { MailRepository } from '../../shared/mail/mail-repository.ts';
import { EmailRequestStatus } from '../../shared/orders/email-requests/email-request.ts';
import type { EmailRequestRepository } from '../../shared/orders/email-requests/email-request-repository.ts';
import { completionMailIdOf, type Order, wasPaid } from '../../shared/orders/order.ts';
import type { GetOwnOrder } from '../../shared/orders/own-order.ts';
import { noChargeFacts } from '../../shared/payments/payment-facts.ts';
import type { PaymentRepository } from '../../shared/payments/payment-repository.ts';
import { pageQuery, shownUri } from '../../shared/schemas.ts';
import { nameDevices } from './license/name-devices.ts';

/** A device of a license that was sold; its label is the buyer's own. */
export const SoldActivation = z.extend(z.omit(Activation, { deviceLabel: true }), { name: z.string() });

/** A sale with its license and a page of the activations; neither buyer nor key. */
export const SoldOrder = z.extend(OrderSummary, {
  license: z.optional(z.extend(IssuedLicense, { activations: z.array(SoldActivation) })),
  /** Where buyers release devices themselves. */
  manageUrl: z.optional(shownUri),
  completionMail: z.optional(MailStatus),
  /** As the buyer's receipt states it. */
  invoice: z.optional(Invoice),
  emailRequest: z.optional(EmailRequestStatus),
  nextCursor: z.optional(z.string()),
});

interface Services {
  getOwnOrder: GetOwnOrder;
  licenseRepository: LicenseRepository;
  payments: Pick<PaymentRepository, 'readPayment'>;
  mails: Pick<MailRepository, 'findMailStatus'>;
  requestRepository: Pick<EmailRequestRepository, 'findRequest'>;
  publicBaseUrl: string;
  now: () => Date;
}

export const getOrder = endpoint({
  operationId: 'getSoldOrder',
  method: 'GET',
  path: '/v1/orders/{order_id}',
  tag: 'Orders',
  summary: 'Shows one of the caller’s own sales with its license and its devices',
  description:
    '`limit` and `cursor` page through the activations of the license. Neither the buyer is shown, nor what the devices are called, nor the license key. Before a license is issued there is none, and an order of more seats or updates never has one. Each activation has a `name` that stays: `device 2` was the second that was ever activated. Buyers release their devices themselves at `manage_url`. `completion_mail` tells how the mail with the buyer’s link fared, `email_request` what became of the last request for another address.',
  audience: 'seller',
  query: z.object(pageQuery),
  success: { status: 200, body: SoldOrder },
  errors: ['order_not_found', 'forbidden'],
  handle: async (
    { params, query, identity },
    { getOwnOrder, licenseRepository, payments, mails, requestRepository, publicBaseUrl, now }: Services,
  ) => {
    const { order } = await getOwnOrder(identity.userId, params.orderId);
    const [invoice, emailRequest, completionMail, license] = await Promise.all([
      readInvoice(order, payments),
      wasPaid(order) ? requestRepository.findRequest(order.id) : undefined,
      wasPaid(order) ? mails.findMailStatus(order.id, completionMailIdOf(order)) : undefined,
      order.licenseId === undefined ? undefined : licenseRepository.getLicense(order.licenseId),
    ]);
    if (!license) {
      if (query.cursor !== undefined) throw badCursor();
      return { ...summarizeOrder(order, undefined, now()), invoice, completionMail, emailRequest };
    }
    const page = await licenseRepository.listDevices(license, query);
    const nameOf = await nameDevices(licenseRepository, license, page, query.cursor === undefined);
    const at = now();
    const activations = page.items.map((device) => ({ ...toActivation(device), name: nameOf(device) }));
    const shown = { ...toIssuedLicense(license, at), activations };
    const manageUrl = `${publicBaseUrl}/manage`;
    const { nextCursor } = page;
    return { ...summarizeOrder(order, license, at), license: shown, manageUrl, completionMail, invoice, emailRequest, nextCursor };
  },
});

/** The payment is read where something may have been given back of an order that has an invoice. */
async function readInvoice(order: Order, payments: Services['payments']): Promise<Invoice | undefined> {
  const { invoice, status, paymentIntentId } = order;
  if (!invoice || !wasPaid(order)) return undefined;
  const isWhole = status === 'paid' || paymentIntentId === undefined;
  return invoiceOf(order, isWhole ? noChargeFacts : (await payments.readPayment(paymentIntentId)).charge);
}
