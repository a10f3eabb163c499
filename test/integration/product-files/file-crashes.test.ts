import { afterEach, describe, expect, test } from '@jest/globals';
import type { FileId } from '../../../shared/ids.ts';
import { createJobRepository } from '../../../shared/jobs/job-repository.ts';
import { stride } from '../../support/depth.ts';
import { createCrashPlan } from '../../support/engines/faults.ts';
import { type FileBench, openFileBench, sha256Hex } from '../../support/scenes/file-bench.ts';

const bytes = Buffer.from('the bytes of an installer');
const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));

/** A life of one file up to where the workers begin, and what they must leave. */
interface Case {
  name: string;
  prepare(bench: FileBench): Promise<FileId>;
  expected: object;
  /** How often each thing is recorded, however often the workers die. */
  audited: Record<string, number>;
}

const cases: Case[] = [
  {
    name: 'a good file',
    prepare: (bench) => bench.handIn(bytes),
    expected: { status: 'pending_review', hashStatus: 'verified', scanStatus: 'clean' },
    audited: { 'product_file.hash': 1, 'product_file.scan': 1 },
  },
  {
    name: 'an infected file',
    prepare: (bench) => bench.handIn(eicar),
    expected: { status: 'pending_review', hashStatus: 'verified', scanStatus: 'infected', scanTrustedClean: false },
    audited: { 'product_file.hash': 1, 'product_file.scan': 1 },
  },
  {
    name: 'a file with other bytes than were declared',
    async prepare(bench) {
      const fileId = await bench.handIn(bytes);
      const read = await bench.file(fileId);
      await bench.table.write(bench.files.replaceFile(read, { ...read, sha256Hex: sha256Hex(eicar) }));
      return fileId;
    },
    expected: { status: 'pending_review', hashStatus: 'mismatch', scanStatus: 'not_scanned' },
    audited: { 'product_file.hash': 1 },
  },
  {
    name: 'an upload that nobody finalized',
    async prepare(bench) {
      const fileId = await bench.upload(bytes);
      await bench.queue.sendJob({ kind: 'discard-upload', productId: bench.product.id, fileId });
      return fileId;
    },
    expected: { status: 'disabled', hashStatus: 'unverified' },
    audited: { 'product_file.discard': 1 },
  },
];

describe('both workers, killed before and after each of their outside calls', () => {
  let bench: FileBench;
  afterEach(() => bench.stop());

  test.each(cases)(
    'bring $name to the same end',
    async ({ prepare, expected, audited }) => {
      const plan = createCrashPlan();
      bench = await openFileBench({ faults: plan });
      // Late enough for every job to begin, those that wait a day among them.
      const sweeper = createJobRepository({ table: bench.table, now: () => new Date(Date.now() + 48 * 3600_000) });

      /** Lets the workers run until they are killed, or are done; returns how many calls they made. */
      const run = async (call: number, when: 'before' | 'after'): Promise<number> => {
        plan.crashAt(call, when);
        await bench.drain().catch(() => undefined);
        return plan.calls;
      };
      /** A new life: the queue's memory is lost, and the sweeper takes up what waits. */
      const restart = async () => {
        plan.revive();
        bench.queue.sent.length = 0;
        for (const job of await sweeper.takeDueJobs({ evenIfLeased: true })) bench.queue.sent.push(job.id);
        await bench.drain();
      };
      const check = async (fileId: FileId) => {
        expect(await bench.file(fileId)).toMatchObject(expected);
        const { items } = await bench.audit.listAudit({ targetId: fileId, limit: 100 });
        const counts = Object.fromEntries([...Map.groupBy(items, ({ action }) => action)].map(([action, all]) => [action, all.length]));
        expect(counts).toMatchObject(audited);
      };

      const first = await prepare(bench);
      const calls = await run(Number.POSITIVE_INFINITY, 'before');
      await check(first);
      expect(calls).toBeGreaterThan(4);

      for (let call = 1; call <= calls; call += stride) {
        for (const when of ['before', 'after'] as const) {
          plan.revive();
          const fileId = await prepare(bench);
          await run(call, when);
          await restart();
          await check(fileId);
          expect(await sweeper.takeDueJobs({ evenIfLeased: true })).toEqual([]);
          await bench.withdraw(fileId);
        }
      }
    },
    120_000,
  );
});
