import { addDiscount, findDiscount, readyForDiscount } from '../../../../shared/discounts/discount-repository.ts';
import { findRedemption, reserveRedemption } from '../../../../shared/discounts/redemption-repository.ts';
import type { OrderId } from '../../../../shared/ids.ts';
import { takeDueJobs } from '../../../../shared/jobs/due-job-repository.ts';
import { findJob } from '../../../../shared/jobs/late-job-repository.ts';
import { graceSeconds, jobId } from '../../../../shared/jobs/new-job.ts';
import type { Logger } from '../../../../shared/logging/logger.ts';
import type { Order } from '../../../../shared/orders/order.ts';
import { createOrder } from '../../../../shared/orders/order-repository.ts';
import type { Faults } from '../../engines/faults.ts';
import { createTestTable } from '../../engines/test-table.ts';
import { createProjectionHarness, sampleOrder, silentLogger, toSqsEvent } from '../projection-harness.ts';
import type { StubProvider } from '../stub-provider.ts';
import { sampleDiscount } from './sample-discount.ts';

/** As much of a job's id as tells that it is the mail sender's or the publisher's. */
const othersJob = /^(send-mail|publish-event):/;

/** Orders with a discount, and the projector that settles what they hold of it, over a clock of their own. */
export async function createRedemptionScene(options: { provider: StubProvider; faults?: Faults; logger?: Logger }) {
  const { provider, faults, logger = silentLogger } = options;
  let clock = new Date();
  const now = () => clock;
  const { table } = await createTestTable({ faults });
  const harness = await createProjectionHarness({ table, provider: provider.client, ...(faults && { outside: faults }), logger, now });
  const sessionPath = ({ checkoutSessionId }: Order) => `/v1/checkout/sessions/${checkoutSessionId}`;

  /** Does what is sent to the projector's queue; what was put off is left to a later sweep, since its message is delayed. */
  async function work(): Promise<void> {
    while (harness.queue.sent.length > 0) {
      const ids = [...new Set(harness.queue.sent.splice(0))].filter((id) => !othersJob.test(id));
      const found = await Promise.all(ids.map((id) => findJob(table, id)));
      const ready = found.flatMap((job) => (job && Date.parse(job.dueAt) <= clock.getTime() + graceSeconds * 1000 ? job.id : []));
      await harness.project(toSqsEvent(ready));
    }
  }

  return {
    ...harness,
    work,

    pass(minutes: number) {
      clock = new Date(clock.getTime() + minutes * 60_000);
    },

    async addDiscount(maxRedemptions?: number) {
      const { id, productId, code } = sampleDiscount();
      const record = sampleDiscount({ id, productId, code, ...(maxRedemptions !== undefined && { maxRedemptions }) });
      await readyForDiscount(table, productId, clock);
      await table.transact(addDiscount(record));
      const discount = () => findDiscount(table, productId, code).then((found) => found ?? record);
      return {
        read: discount,
        /** What is counted of it. */
        async counts() {
          const { taken, redeemed } = await discount();
          return { taken, redeemed };
        },
        /** A cart of one with the code, as a checkout leaves it. @throws AppError discount_not_valid */
        async openCart(change: Partial<Order> = {}): Promise<Order> {
          const order = sampleOrder({
            productId,
            discount: { id, code, amount: 300 },
            createdAt: clock.toISOString(),
            expiresAt: new Date(clock.getTime() + 30 * 60_000 + 20_000).toISOString(),
            ...change,
          });
          await table.transact([...reserveRedemption(await discount(), { ttl: undefined, ...order }), ...createOrder(order)]);
          return order;
        },
      };
    },

    /** How the order's session is at the provider, which knows nothing of it before. */
    setSession(order: Order, status: 'open' | 'expired' | 'complete') {
      const url = status === 'open' ? 'https://pay.test/' : null;
      provider.objects.set(sessionPath(order), { id: order.checkoutSessionId, object: 'checkout.session', status, url });
    },
    isAsked: (order: Order) => provider.requests.some(({ path }) => path === sessionPath(order)),

    /** Posts an event, and works until nothing is left to do. */
    async happen(event: unknown): Promise<void> {
      await harness.receiveEvent('platform', event);
      await work();
    },

    /** A pass of the sweeper; with `evenIfLeased` as after an outage. */
    async sweep({ evenIfLeased = false } = {}): Promise<void> {
      const due = await takeDueJobs(harness, { evenIfLeased });
      harness.queue.sent.push(...due.map(({ id }) => id));
      await work();
    },

    stateOf: async (orderId: OrderId) => (await findRedemption(table, orderId))?.state,
    settlingOf: (orderId: OrderId) => findJob(table, jobId({ kind: 'settle-redemption', orderId })),
  };
}

export type RedemptionScene = Awaited<ReturnType<typeof createRedemptionScene>>;
