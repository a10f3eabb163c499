import { listOrders } from './list-orders.ts';

export const routes = [listOrders];
