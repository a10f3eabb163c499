import { describe, expect, test } from '@jest/globals';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { LeaseLostError } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob, renewLease, sleepJob } from '../../../shared/jobs/job-lease-repository.ts';
import { wakeJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { cancelReplay, findReplay } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { type CrashPlan, crashPoints, createCrashPlan, type Faults } from '../../support/engines/faults.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { createInterrupter } from '../../support/interrupt.ts';
import { createDeliveryScene } from '../../support/scenes/events/delivery-scene.ts';

const url = 'https://hooks.example.com/';

/** Deliveries to one endpoint, over a network in memory. */
async function openDeliveries(faults?: Faults) {
  const scene = await createDeliveryScene(faults);
  const endpoint = await scene.addEndpoint({ url });
  return { scene, network: scene.network, endpoint, id: jobId(scene.deliverJobOf(endpoint.id)) };
}

/** Publishing, sending, a failed attempt and its retry, and a replay: as one process that can be killed. */
async function createMortalService(plan: CrashPlan) {
  const { scene, network, endpoint } = await openDeliveries(plan);
  const recorded: string[] = [];
  return {
    async live(): Promise<void> {
      for (const type of ['order.paid', 'order.refunded'] as const) recorded.push(await scene.record(type));
      await scene.publish(recorded);
      network.answer = () => ({ statusCode: 500, error: 'status' });
      await scene.arrive();
      network.answer = () => ({ statusCode: 200 });
      await scene.pass(10);
      await scene.replay(endpoint);
      await scene.arrive();
    },
    /** Whatever was under way is gone, and the sweeper finds what is due. */
    async restart(): Promise<void> {
      plan.revive();
      network.answer = () => ({ statusCode: 200 });
      scene.queue.splice(0);
      for (let times = 0; times < 4; times += 1) {
        scene.skip(400);
        for (const job of await takeDueJobs(scene)) await (job.task.kind === 'publish-event' ? scene.publish : scene.work)([job.id]);
        await scene.arrive();
      }
    },
    /** Which recorded events were not delivered, what was recorded otherwise than it was sent, and what is left to do. */
    async faults() {
      const deliveries = await scene.deliveriesOf(endpoint);
      const delivered = deliveries.filter(({ status }) => status === 'delivered').map(({ eventId }) => `publish-event:${eventId}`);
      const sent = new Set(network.sent.map(({ headers }) => headers['webhook-id']));
      return {
        lost: recorded.filter((id) => !delivered.includes(id)),
        unrecorded: [sent.size - deliveries.length, sent.size - delivered.length],
        left: [await scene.pendingOf(endpoint), await scene.jobOf(endpoint), await findReplay(scene.table, endpoint.id)],
      };
    },
  };
}

test('a kill amidst deliveries at any request loses no event, and records none twice', async () => {
  const whole = createCrashPlan();
  whole.crashAt(Number.MAX_SAFE_INTEGER, 'before');
  await (await createMortalService(whole)).live();
  for (const { call, when } of crashPoints(whole.calls)) {
    const plan = createCrashPlan();
    const service = await createMortalService(plan);
    plan.crashAt(call, when);
    await service.live().catch(() => undefined);
    await service.restart();
    const point = `${when} call ${call}, after ${plan.lastEffect}`;
    expect({ point, ...(await service.faults()) }).toEqual({ point, lost: [], unrecorded: [0, 0], left: [[], undefined, undefined] });
  }
}, 120_000);

describe('an event that is published while a run ends', () => {
  test('is sent in whatever order their requests come, once, and no job is left', async () => {
    const interleaver = createInterleaver();
    await inEveryOrder(async (picks) => {
      const { scene, network, endpoint, id } = await openDeliveries(interleaver);
      await scene.happen('order.paid');
      scene.queue.splice(0);
      const other = await scene.record('order.refunded');
      const publishAndSend = async () => {
        await scene.publish([other]);
        await scene.work([id]);
      };
      await interleaver.run(picks, [() => scene.work([id]), publishAndSend]);
      await scene.arrive();
      expect(network.sent.map(({ type }) => type).toSorted()).toEqual(['order.paid', 'order.refunded']);
      expect([await scene.pendingOf(endpoint), await scene.jobOf(endpoint)]).toEqual([[], undefined]);
    });
  }, 120_000);

  test('is sent once its holder’s lease is over, when the holder died', async () => {
    const plan = createCrashPlan();
    const { scene, network, endpoint } = await openDeliveries(plan);
    await scene.happen('order.paid');
    plan.crashAt(2, 'before');
    await expect(scene.arrive()).rejects.toThrow();
    plan.revive();
    await scene.happen('order.refunded');
    await scene.arrive();
    for (const [seconds, sent] of [
      [59.999, 0],
      [0.001, 2],
    ] as const) {
      scene.skip(seconds);
      await scene.sweep();
      expect(network.sent).toHaveLength(sent);
    }
    expect(await scene.jobOf(endpoint)).toBeUndefined();
  });
});

test('a job that is woken is left to whoever holds its lease by then, who renews it and may put it to sleep', async () => {
  const { scene, endpoint, id } = await openDeliveries();
  await scene.happen('order.paid');
  const late = await leaseJob(scene, id, 60);
  scene.skip(60);
  const other = await leaseJob(scene, id, 60);
  if (!late || !other) throw new Error('The job was not there.');
  expect(other.attempts).toBe(2);
  await scene.table.write(wakeJob(scene, scene.deliverJobOf(endpoint.id), 60));
  expect(await renewLease(scene, late, 60)).toBeUndefined();
  for (const lost of [late, other]) {
    await expect(scene.table.write(finishJob(lost))).rejects.toBeInstanceOf(LeaseLostError);
    await expect(scene.table.write(sleepJob(scene, lost, 30))).rejects.toBeInstanceOf(LeaseLostError);
  }
  const renewed = await renewLease(scene, other, 60);
  expect(renewed).toMatchObject({ attempts: 1, leasedUntil: new Date(scene.now().getTime() + 60_000).toISOString() });
  if (renewed) await scene.table.write(sleepJob(scene, renewed, 30, { note: 'kept' }));
  expect(await scene.jobOf(endpoint)).toMatchObject({ state: 'waiting', attempts: 0, payload: { note: 'kept' } });
  expect(await scene.jobOf(endpoint)).not.toHaveProperty('leasedUntil');
});

test('a replay that is cancelled at any moment leaves nothing of itself, and its run ends well', async () => {
  const interrupter = createInterrupter();
  await interrupter.atEveryCall(async (interrupt) => {
    const { scene, endpoint, id } = await openDeliveries(interrupter);
    await scene.happen('order.paid', 'order.refunded');
    await scene.arrive();
    scene.skip(1);
    await scene.replay(endpoint);
    scene.queue.splice(0);
    await interrupt(
      () => scene.work([id]),
      () => scene.table.transact([cancelReplay(endpoint.id)]),
    );
    expect([await findReplay(scene.table, endpoint.id), await scene.jobOf(endpoint)]).toEqual([undefined, undefined]);
    expect([scene.messages(), await scene.pendingOf(endpoint)]).toEqual([[], []]);
  });
});
