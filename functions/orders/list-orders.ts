import * as z from 'zod/mini';
import { emptyPage } from '../../shared/db/sharded-list.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { queryIdOf } from '../../shared/ids.ts';
import type { LicenseRepository } from '../../shared/licenses/license-repository.ts';
import { OrderSummary, summarizeOrders } from '../../shared/licenses/search/order-summary.ts';
import { orderKinds } from '../../shared/orders/order.ts';
import type { OrderRepository } from '../../shared/orders/order-repository.ts';
import { OrderStatus } from '../../shared/payments/payment-facts.ts';
import { pageOf, pageQuery } from '../../shared/schemas.ts';
import type { SellerRepository } from '../../shared/sellers/seller-repository.ts';

interface Services {
  sellers: SellerRepository;
  orders: OrderRepository;
  licenseRepository: LicenseRepository;
  now: () => Date;
}

export const listOrders = endpoint({
  operationId: 'listOrders',
  method: 'GET',
  path: '/v1/orders',
  tag: 'Orders',
  summary: "Lists the caller's own sales, newest first",
  description: 'With the license of each, its hint and its status; neither buyers nor license keys are shown.',
  audience: 'seller',
  query: z.object({
    ...pageQuery,
    productId: z.optional(queryIdOf('product')),
    status: z.optional(OrderStatus),
    kind: z.optional(z.enum(orderKinds)),
    discountId: z.optional(queryIdOf('discount')),
  }),
  success: { status: 200, body: pageOf(OrderSummary) },
  errors: [],
  handle: async ({ query, identity }, { sellers, orders, licenseRepository, now }: Services) => {
    const seller = await sellers.findSellerOfUser(identity.userId);
    if (!seller) return emptyPage(query);
    const page = await orders.listOrdersOfSeller(seller.id, query);
    return { ...page, items: await summarizeOrders(page.items, licenseRepository.findLicenses, now()) };
  },
});
