import { beforeAll, describe, expect, test } from '@jest/globals';
import { createAuditRepository } from '../../shared/audit/audit-repository.ts';
import { createCodeStockRepository } from '../../shared/code-batches/code-stock-repository.ts';
import { jobKey } from '../../shared/db/keys.ts';
import type { Table } from '../../shared/db/table.ts';
import { newId } from '../../shared/ids.ts';
import { type JobTask, jobId } from '../../shared/jobs/job.ts';
import { createJobRepository, LeaseLostError } from '../../shared/jobs/job-repository.ts';
import type { Order } from '../../shared/orders/order.ts';
import { createProductRepository } from '../../shared/products/product-repository.ts';
import { createProductReviews } from '../../shared/products/product-review.ts';
import { createProductService } from '../../shared/products/product-service.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { createSellerService } from '../../shared/sellers/seller-service.ts';
import { createTestTable } from '../support/engines/test-table.ts';
import { createInterleaver, inEveryOrder } from '../support/interleave.ts';
import { disputeEvent, refundEvent, sessionEvent } from '../support/samples/provider-events.ts';
import { createLicenseHarness } from '../support/scenes/license-harness.ts';
import { createProjectionHarness, type ProjectionHarness, sampleOrder, toSqsEvent } from '../support/scenes/projection-harness.ts';

const interleaver = createInterleaver();
let table: Table;
beforeAll(async () => {
  ({ table } = await createTestTable({ faults: interleaver }));
});

/** What each task came to: its value, or the code of its error. */
const outcomeOf = (task: () => Promise<unknown>) => () =>
  task().catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return error.code;
    throw error;
  });

describe('in every order of two requests at once', () => {
  test('two devices on one seat: one has it, the other is refused', async () => {
    const orders = await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 1 });
      const replies = await interleaver.run(picks, [() => harness.activate(0), () => harness.activate(1)]);
      expect(replies.map(({ code }) => code).toSorted()).toEqual(['activated', 'limit']);
      expect(await harness.seats()).toEqual({ activationCount: 1, active: 1 });
    });
    expect(orders).toBeGreaterThanOrEqual(5);
  });

  test('one device twice: it takes one seat', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 2 });
      const replies = await interleaver.run(picks, [() => harness.activate(0), () => harness.activate(0)]);
      expect(replies.map(({ code }) => code).toSorted()).toEqual(['activated', 'already_activated']);
      expect(await harness.seats()).toEqual({ activationCount: 1, active: 1 });
    });
  });

  test('one device leaves twice: it frees one seat', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 2 });
      await harness.activate(0);
      await harness.activate(1);
      const replies = await interleaver.run(picks, [() => harness.deactivate(0), () => harness.deactivate(0)]);
      expect(replies.map(({ code }) => code).toSorted()).toEqual(['deactivated', 'not_activated']);
      expect(await harness.seats()).toEqual({ activationCount: 1, active: 1 });
    });
  });

  test('one device leaves the one seat that another takes: the seat has at most one', async () => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 1 });
      await harness.activate(0);
      const [, taken] = await interleaver.run(picks, [() => harness.deactivate(0), () => harness.activate(1)]);
      const has = taken?.code === 'activated' ? 1 : 0;
      expect(await harness.seats()).toEqual({ activationCount: has, active: has });
    });
  });

  test.each(['revoked', 'held'])('a device on a license that is being %s: it takes no seat afterwards', async (how) => {
    await inEveryOrder(async (picks) => {
      const harness = await createLicenseHarness(table, { activationLimit: 1 });
      const stop = () => (how === 'held' ? harness.hold('disputed') : harness.admin.revokeLicense('admin', harness.license.id));
      const [reply] = await interleaver.run<unknown>(picks, [() => harness.activate(0), stop]);
      const { code } = reply as { code: string };
      const has = code === 'activated' ? 1 : 0;
      expect(await harness.seats()).toEqual({ activationCount: has, active: has });
      const stopping = how === 'held' ? 'UpdateItem' : 'TransactWriteItems';
      const stopped = interleaver.made.findIndex(({ task, name }) => task === 1 && name === stopping);
      const seated = interleaver.made.findLastIndex(({ task, name }) => task === 0 && name === 'TransactWriteItems');
      if (has === 1) expect(seated).toBeLessThan(stopped);
    });
  });
});

describe('in every order of two events of one order at once', () => {
  let harness: ProjectionHarness;
  beforeAll(async () => {
    harness = await createProjectionHarness({ table });
  });

  /** Projects two received events at once, and again as long as a worker lost every race. */
  async function project(picks: Parameters<typeof interleaver.run>[0], events: readonly { id: string }[]) {
    for (const event of events) await harness.receiveEvent('platform', event);
    const { Records } = harness.queue.take();
    await interleaver.run(
      picks,
      Records.map((record) => () => harness.project({ Records: [record] })),
    );
    const left = harness.queue.take().Records.filter(({ body }) => body.includes('project-event'));
    await harness.project({ Records: left });
  }
  const issuedOf = async (order: Order) => {
    const { items } = await harness.audit.listAudit({ targetId: order.licenseId ?? 'none', limit: 20 });
    return items.filter(({ action }) => action === 'license.issue').length;
  };

  test('two that say it is paid: one license, one mail', async () => {
    const orders = await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      await project(picks, [sessionEvent(order, 'completed'), sessionEvent(order, 'async_payment_succeeded')]);
      const { order: paid, license, mail } = await harness.show(order.id);
      expect(paid.status).toBe('paid');
      expect(license?.id).toBe(paid.licenseId);
      expect(await issuedOf(paid)).toBe(1);
      expect(mail?.state).toBe('pending');
    });
    expect(orders).toBeGreaterThan(20);
  }, 60_000);

  test('its payment and its full refund: refunded, and the license held', async () => {
    await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      await project(picks, [sessionEvent(order, 'completed'), refundEvent(order, 1200)]);
      expect(await harness.show(order.id)).toMatchObject({ order: { status: 'refunded' }, license: { paymentHold: 'refunded' } });
    });
  }, 60_000);

  test('a won dispute and a full refund: refunded, and the license held', async () => {
    await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      await harness.deliver(sessionEvent(order, 'completed'));
      await harness.deliver(disputeEvent(order, 'created', 'needs_response'));
      harness.queue.take();
      await project(picks, [disputeEvent(order, 'closed', 'won'), refundEvent(order, 1200)]);
      expect(await harness.show(order.id)).toMatchObject({ order: { status: 'refunded' }, license: { paymentHold: 'refunded' } });
    });
  }, 60_000);

  test('the same one twice: its effect once', async () => {
    await inEveryOrder(async (picks) => {
      const order = await harness.addOrder();
      const event = sessionEvent(order, 'completed');
      await harness.receiveEvent('platform', event);
      harness.queue.take();
      const message = toSqsEvent([jobId({ kind: 'project-event', eventId: event.id })]);
      await interleaver.run(picks, [() => harness.project(message), () => harness.project(message)]);
      const { order: paid } = await harness.show(order.id);
      expect(paid.revision).toBe(order.revision + 1);
      expect(await issuedOf(paid)).toBe(1);
    });
  });

  test('two orders that pay for the last imported code: one has it, the other waits', async () => {
    const terms = { ...sampleOrder().terms, licenseIssuanceMode: 'imported_csv' } as const;
    const stock = createCodeStockRepository({ table, encryptionKeys: harness.encryptionKeys });
    await inEveryOrder(
      async (picks) => {
        const productId = newId('product');
        const sold = await Promise.all([0, 1].map(() => harness.addOrder({ productId, terms })));
        const code = { productId, batchId: newId('batch'), code: 'CODE-0001', codeHash: 'hash' };
        await table.write(stock.stockCode(code));
        await project(
          picks,
          sold.map((order) => sessionEvent(order, 'completed')),
        );
        const shown = await Promise.all(sold.map(({ id }) => harness.show(id)));
        expect(shown.map(({ license }) => license !== undefined).toSorted()).toEqual([false, true]);
        expect(shown.map(({ order }) => order.waitingSince !== undefined).toSorted()).toEqual([false, true]);
      },
      { switches: 1 },
    );
  }, 60_000);
});

describe('in every order of two people at once', () => {
  const stores = () => {
    const sellers = createSellerRepository({ table });
    const products = createProductRepository({ table });
    const audit = createAuditRepository({ table });
    return {
      sellers: createSellerService({ table, sellers, audit }),
      products: createProductService({ table, products, sellers, audit }),
      reviews: createProductReviews({ table, products, sellers, audit }),
    };
  };
  const application = {
    displayName: 'A Shop',
    contactEmail: 'a@example.com',
    supportEmail: 'help@example.com',
    siteUrl: 'https://a.example.com',
  };
  const draft = (name: string) => ({
    name,
    description: 'What it does.',
    priceAmount: 1200,
    currency: 'JPY',
    supportEmail: 'help@example.com',
    refundPolicy: 'Within 14 days.',
    softwareOperatingEnvironment: 'Any',
  });
  let last = 0;
  const fresh = (what: string) => {
    last += 1;
    return `${what} ${last}`;
  };

  test('a user who applies twice is one seller', async () => {
    const { sellers } = stores();
    await inEveryOrder(async (picks) => {
      const user = fresh('user');
      const [one, other] = await interleaver.run(picks, [
        () => sellers.apply({ userId: user }, application),
        () => sellers.apply({ userId: user }, application),
      ]);
      expect(one?.id).toBe(other?.id);
    });
  });

  test('two products of one name: one has it, the other is refused', async () => {
    const { sellers, products } = stores();
    const user = fresh('user');
    await sellers.apply({ userId: user }, application);
    await inEveryOrder(async (picks) => {
      const name = fresh('Sample App');
      const make = outcomeOf(async () => (await products.createProduct(user, draft(name))).slug);
      const outcomes = await interleaver.run(picks, [make, make]);
      expect(outcomes.toSorted()).toEqual([name.toLowerCase().replaceAll(' ', '-'), 'slug_reserved'].toSorted());
    });
  });

  test('a product that is approved while it is edited is on sale only as it was reviewed', async () => {
    const { sellers, products, reviews } = stores();
    const user = fresh('user');
    await sellers.apply({ userId: user }, application);
    await inEveryOrder(async (picks) => {
      const name = fresh('Sample App');
      const { id } = await products.createProduct(user, draft(name));
      await products.submitProduct(user, id);
      await interleaver.run(picks, [
        outcomeOf(() => products.updateProduct(user, id, { ...draft(name), priceAmount: 1 })),
        outcomeOf(() => reviews.reviewProduct({ userId: 'admin' }, id, { decision: 'approve' })),
      ]);
      const product = await products.getProduct(user, id);
      if (product.status === 'approved') expect(product.priceAmount).toBe(1200);
    });
  });

  test('a seller that is reviewed while they apply anew keeps no decision on what was not read', async () => {
    const { sellers } = stores();
    await inEveryOrder(async (picks) => {
      const user = fresh('user');
      const { id } = await sellers.apply({ userId: user }, application);
      await interleaver.run(picks, [
        outcomeOf(() => sellers.apply({ userId: user }, { ...application, displayName: 'Another Shop' })),
        outcomeOf(() => sellers.reviewSeller({ userId: 'admin' }, id, { decision: 'approve', expectedRevision: 1 })),
      ]);
      const { internalReviewStatus, displayName } = await sellers.getOwnSeller(user);
      expect([
        ['pending_review', 'Another Shop'],
        ['approved', 'A Shop'],
      ]).toContainEqual([internalReviewStatus, displayName]);
    });
  });
});

test('in every order of a worker that finishes a job and somebody who adds it again, the added one stays', async () => {
  const task: JobTask = { kind: 'project-event', eventId: 'evt_race' };
  const id = jobId(task);
  let clock = Date.parse('2026-01-31T09:00:00.000Z');
  const now = () => {
    clock += 1;
    return new Date(clock);
  };
  const jobs = createJobRepository({ table, now });
  await inEveryOrder(async (picks) => {
    await table.write(jobs.addJob(task));
    const finish = async () => {
      const job = await jobs.leaseJob(id, 60);
      await table.transact(job ? [jobs.finishJob(job)] : []).catch((error) => expect(error).toBeInstanceOf(LeaseLostError));
    };
    await interleaver.run<unknown>(picks, [finish, () => table.transact([jobs.addJob(task)])]);
    const isLeft = (await table.get(jobKey(id))) !== undefined;
    // Only a worker that leased the added job itself may have removed it.
    const added = interleaver.made.findIndex((made) => made.task === 1);
    const leased = interleaver.made.findIndex((made) => made.task === 0 && made.name === 'UpdateItem');
    expect(isLeft).toBe(leased < added);
    await table.write({ delete: { Key: jobKey(id) } });
  });
});
