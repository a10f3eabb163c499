import { afterEach, describe, expect, test } from '@jest/globals';
import { listAudit } from '../../../shared/audit/audit-repository.ts';
import type { FileId } from '../../../shared/ids.ts';
import { takeDueJobs } from '../../../shared/jobs/due-job-repository.ts';
import { replaceFile } from '../../../shared/product-files/product-file-repository.ts';
import { createCrashPlan, dyingAnywhere } from '../../support/engines/faults.ts';
import { type FileHarness, sha256Hex, startFileHarness } from '../../support/scenes/file-harness.ts';

const bytes = Buffer.from('the bytes of an installer');
const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD', '-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));

/** A life of one file up to where the workers begin, and what they must leave. */
interface Case {
  name: string;
  prepare(harness: FileHarness): Promise<FileId>;
  expected: object;
  /** How often each thing is recorded, however often the workers die. */
  audited: Record<string, number>;
}

const cases: Case[] = [
  {
    name: 'a good file',
    prepare: (harness) => harness.handIn(bytes),
    expected: { status: 'pending_review', hashStatus: 'verified', scanStatus: 'clean' },
    audited: { 'product_file.hash': 1, 'product_file.scan': 1 },
  },
  {
    name: 'an infected file',
    prepare: (harness) => harness.handIn(eicar),
    expected: { status: 'pending_review', hashStatus: 'verified', scanStatus: 'infected', scanTrustedClean: false },
    audited: { 'product_file.hash': 1, 'product_file.scan': 1 },
  },
  {
    name: 'a file with other bytes than were declared',
    async prepare(harness) {
      const fileId = await harness.handIn(bytes);
      const read = await harness.file(fileId);
      await harness.table.transact(await replaceFile(harness.table, read, { ...read, sha256Hex: sha256Hex(eicar) }));
      return fileId;
    },
    expected: { status: 'pending_review', hashStatus: 'mismatch', scanStatus: 'not_scanned' },
    audited: { 'product_file.hash': 1 },
  },
];

describe('both workers, killed before and after each of their outside calls', () => {
  let harness: FileHarness;
  afterEach(() => harness.stop());

  test.each(cases)(
    'bring $name to the same end',
    async ({ prepare, expected, audited }) => {
      const plan = createCrashPlan();
      harness = await startFileHarness({ faults: plan });
      // Late enough for every job to begin, those that wait a day among them.
      const sweeper = { table: harness.table, now: () => new Date(Date.now() + 48 * 3600_000) };

      const calls = await dyingAnywhere(plan, {
        prepare: () => prepare(harness),
        live: () => harness.drain(),
        async goOn(fileId) {
          // The queue's memory is lost, and the sweeper takes up what waits.
          harness.queue.sent.length = 0;
          for (const job of await takeDueJobs(sweeper, { evenIfLeased: true })) harness.queue.sent.push(job.id);
          await harness.drain();
          expect(await harness.file(fileId)).toMatchObject(expected);
          const { items } = await listAudit(harness.table, { targetId: fileId, limit: 100 });
          const counts = Object.fromEntries([...Map.groupBy(items, ({ action }) => action)].map(([action, all]) => [action, all.length]));
          expect(counts).toMatchObject(audited);
          expect(await takeDueJobs(sweeper, { evenIfLeased: true })).toEqual([]);
          await harness.withdraw(fileId);
        },
      });
      expect(calls).toBeGreaterThan(1);
    },
    120_000,
  );
});
