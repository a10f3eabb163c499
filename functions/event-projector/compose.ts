import { createWorker } from '../../shared/queue/create-worker.ts';
import { jobContextOf, type Start } from '../../shared/start.ts';
import { issuePostponed } from './apply-payment-update.ts';
import type * as declaration from './declaration.ts';
import { projectEvent } from './project-event.ts';
import { followHold } from './related-orders/follow-hold.ts';
import { serveWaitingOrders } from './serve-waiting-orders.ts';
import { settleRedemption } from './settle-redemption.ts';

/** As long as the function may run. */
export const leaseSeconds = 60;

const run = {
  'project-event': projectEvent,
  'follow-hold': followHold,
  'serve-waiting-orders': serveWaitingOrders,
  'issue-license': issuePostponed,
  'settle-redemption': settleRedemption,
};

/** The worker that turns provider events into orders, payments, licenses and sellers' payment fields. */
export const compose = (start: Start<typeof declaration>) => createWorker(jobContextOf(start), { run, leaseSeconds });
