import { describe, expect, test } from '@jest/globals';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { LeaseLostError } from '../../../shared/jobs/job.ts';
import { finishJob, leaseJob, renewLease, sleepJob } from '../../../shared/jobs/job-lease-repository.ts';
import { wakeJob } from '../../../shared/jobs/job-repository.ts';
import { jobId } from '../../../shared/jobs/new-job.ts';
import { cancelReplay, findReplay } from '../../../shared/webhook-endpoints/deliveries/delivery-repository.ts';
import { stride } from '../../support/depth.ts';
import { crashPoints, createCrashPlan } from '../../support/engines/faults.ts';
import { createInterleaver, inEveryOrder } from '../../support/interleave.ts';
import { createInterrupter } from '../../support/interrupt.ts';
import { createDeliveryScene } from '../../support/scenes/events/delivery-scene.ts';

/** A receiver in memory, which may fail and counts what it was sent. */
function createReceiver(faults: { call<T>(name: string, make: () => Promise<T>): Promise<T> }) {
  const sent = new Map<string, number>();
  const receiver = {
    sent,
    status: 200,
    send: (_url: string, { headers }: { headers: Readonly<Record<string, string>> }) =>
      faults.call('SendEvent', async () => {
        const id = headers['webhook-id'] ?? '';
        sent.set(id, (sent.get(id) ?? 0) + 1);
        return receiver.status === 200 ? { statusCode: 200 } : { statusCode: receiver.status, error: 'status' as const };
      }),
  };
  return receiver;
}

/** Publishing, sending, a failed attempt and its retry, and a replay: as one process that can be killed. */
async function createMortalService(plan: ReturnType<typeof createCrashPlan>) {
  const receiver = createReceiver(plan);
  const scene = await createDeliveryScene({ faults: plan, send: receiver.send });
  const endpoint = await scene.addEndpoint({ url: 'https://hooks.example.com/' });
  const recorded: string[] = [];
  return {
    scene,
    endpoint,
    receiver,
    recorded,
    async live(): Promise<void> {
      for (const type of ['order.paid', 'order.refunded'] as const) recorded.push(await scene.record(type));
      await scene.publish(recorded);
      receiver.status = 500;
      await scene.arrive();
      receiver.status = 200;
      await scene.pass(10);
      await scene.replay(endpoint);
      await scene.arrive();
    },
    /** Whatever was under way is gone, and the sweeper finds what is due. */
    async restart(): Promise<void> {
      plan.revive();
      receiver.status = 200;
      scene.queue.splice(0);
      for (let times = 0; times < 4; times += 1) {
        scene.skip(400);
        for (const job of await takeDueJobs(scene)) {
          if (job.task.kind === 'publish-event') await scene.publish([job.id]);
          else await scene.work([job.id]);
        }
        await scene.arrive();
      }
    },
  };
}

describe('a kill amidst deliveries', () => {
  test('at any request loses no event, and records none twice', async () => {
    const whole = createCrashPlan();
    whole.crashAt(Number.MAX_SAFE_INTEGER, 'before');
    await (await createMortalService(whole)).live();
    const calls = whole.calls;
    expect(calls).toBeGreaterThan(30);
    for (const { call, when } of crashPoints(calls, stride)) {
      const plan = createCrashPlan();
      const service = await createMortalService(plan);
      plan.crashAt(call, when);
      await service.live().catch(() => undefined);
      await service.restart();
      const { scene, endpoint, receiver, recorded } = service;
      const deliveries = await scene.deliveriesOf(endpoint);
      const known = new Set(recorded.map((id) => id.slice('publish-event:'.length)));
      const delivered = deliveries.filter(({ status }) => status === 'delivered').map(({ eventId }) => eventId);
      const point = `${when} call ${call}, after ${plan.lastEffect}`;
      expect([point, delivered.filter((id) => known.has(id)).toSorted()]).toEqual([point, [...known].toSorted()]);
      expect([point, deliveries.length, delivered.length]).toEqual([point, receiver.sent.size, receiver.sent.size]);
      expect([point, await scene.pendingOf(endpoint)]).toEqual([point, []]);
      expect([point, await scene.jobOf(endpoint)]).toEqual([point, undefined]);
      expect([point, await findReplay(scene.table, endpoint.id)]).toEqual([point, undefined]);
    }
  }, 120_000);
});

describe('an event that is published while a run ends', () => {
  test('is sent in whatever order their requests come, once, and no job is left', async () => {
    const interleaver = createInterleaver();
    const orders = await inEveryOrder(async (picks) => {
      const receiver = createReceiver({ call: (_name, make) => make() });
      const scene = await createDeliveryScene({ faults: interleaver, send: receiver.send });
      const endpoint = await scene.addEndpoint({ url: 'https://hooks.example.com/' });
      const deliverJob = jobId(scene.deliverJobOf(endpoint.id));
      await scene.happen('order.paid');
      scene.queue.splice(0);
      const other = await scene.record('order.refunded');
      const publishAndSend = async () => {
        await scene.publish([other]);
        await scene.work([deliverJob]);
      };
      await interleaver.run(picks, [() => scene.work([deliverJob]), publishAndSend]);
      await scene.arrive();
      expect([...receiver.sent.values()]).toEqual([1, 1]);
      expect(await scene.pendingOf(endpoint)).toEqual([]);
      expect(await scene.jobOf(endpoint)).toBeUndefined();
    });
    expect(orders).toBeGreaterThan(10);
  }, 120_000);

  test('is sent once its holder’s lease is over, when the holder died', async () => {
    const plan = createCrashPlan();
    const receiver = createReceiver(plan);
    const scene = await createDeliveryScene({ faults: plan, send: receiver.send });
    const endpoint = await scene.addEndpoint({ url: 'https://hooks.example.com/' });
    await scene.happen('order.paid');
    plan.crashAt(2, 'before');
    await expect(scene.arrive()).rejects.toThrow();
    plan.revive();
    await scene.happen('order.refunded');
    await scene.arrive();
    expect(receiver.sent.size).toBe(0);
    scene.skip(59.999);
    await scene.sweep();
    expect(receiver.sent.size).toBe(0);
    scene.skip(0.001);
    await scene.sweep();
    expect(receiver.sent.size).toBe(2);
    expect(await scene.jobOf(endpoint)).toBeUndefined();
  });

  test('is left to the other, when the lease of a run is over and another holds the job', async () => {
    const receiver = createReceiver({ call: (_name, make) => make() });
    const scene = await createDeliveryScene({ send: receiver.send });
    const endpoint = await scene.addEndpoint({ url: 'https://hooks.example.com/' });
    const id = jobId(scene.deliverJobOf(endpoint.id));
    await scene.happen('order.paid');
    const late = await leaseJob(scene, id, 60);
    if (!late) throw new Error('The job was not there.');
    scene.skip(60);
    const other = await leaseJob(scene, id, 60);
    expect(other?.attempts).toBe(2);
    await scene.table.write(wakeJob(scene, scene.deliverJobOf(endpoint.id), 60));
    expect(await renewLease(scene, late, 60)).toBeUndefined();
    for (const lost of [late, other]) {
      if (!lost) continue;
      await expect(scene.table.write(finishJob(lost))).rejects.toBeInstanceOf(LeaseLostError);
      await expect(scene.table.write(sleepJob(scene, lost, 30))).rejects.toBeInstanceOf(LeaseLostError);
    }
    const renewed = other && (await renewLease(scene, other, 60));
    expect(renewed).toMatchObject({ attempts: 1, leasedUntil: new Date(scene.now().getTime() + 60_000).toISOString() });
    if (renewed) await scene.table.write(sleepJob(scene, renewed, 30, { note: 'kept' }));
    expect(await scene.jobOf(endpoint)).toMatchObject({ state: 'waiting', attempts: 0, payload: { note: 'kept' } });
    expect(await scene.jobOf(endpoint)).not.toHaveProperty('leasedUntil');
  });
});

describe('a replay that is cancelled', () => {
  test('at any moment leaves nothing of itself, and its run ends well', async () => {
    for (let before = 1, wereFewer = false; !wereFewer; before += 1) {
      const interrupter = createInterrupter();
      const receiver = createReceiver(interrupter);
      const scene = await createDeliveryScene({ faults: interrupter, send: receiver.send });
      const endpoint = await scene.addEndpoint({ url: 'https://hooks.example.com/' });
      await scene.happen('order.paid', 'order.refunded');
      await scene.arrive();
      scene.skip(1);
      await scene.replay(endpoint);
      scene.queue.splice(0);
      const run = () => scene.work([jobId(scene.deliverJobOf(endpoint.id))]);
      wereFewer = await interrupter.run(run, before, () => scene.table.transact([cancelReplay(endpoint.id)]));
      expect([before, await findReplay(scene.table, endpoint.id)]).toEqual([before, undefined]);
      expect([before, await scene.jobOf(endpoint)]).toEqual([before, undefined]);
      expect([before, scene.messages(), await scene.pendingOf(endpoint)]).toEqual([before, [], []]);
    }
  });
});
