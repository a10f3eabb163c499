import * as z from 'zod/mini';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { queryIdOf } from '../../../shared/ids.ts';
import type { LicenseRepository } from '../../../shared/licenses/license-repository.ts';
import { OrderSummary, summarizeOrders } from '../../../shared/licenses/search/order-summary.ts';
import type { OrderRepository } from '../../../shared/orders/order-repository.ts';
import { OrderStatus } from '../../../shared/payments/payment-facts.ts';
import { pageOf, pageQuery } from '../../../shared/schemas.ts';

export const listOrders = endpoint({
  operationId: 'listAllOrders',
  method: 'GET',
  path: '/v1/admin/orders',
  tag: 'Admin',
  summary: 'Lists orders, newest first',
  description: 'Neither buyers nor license keys are shown.',
  audience: 'admin',
  query: z.object({ ...pageQuery, status: z.optional(OrderStatus), sellerId: z.optional(queryIdOf('seller')) }),
  success: { status: 200, body: pageOf(OrderSummary) },
  errors: [],
  handle: async (
    { query },
    { orders, licenseRepository, now }: { orders: OrderRepository; licenseRepository: LicenseRepository; now: () => Date },
  ) => {
    const { sellerId, ...request } = query;
    const page = sellerId === undefined ? await orders.listOrders(request) : await orders.listOrdersOfSeller(sellerId, request);
    return { ...page, items: await summarizeOrders(page.items, licenseRepository.findLicenses, now()) };
  },
});
