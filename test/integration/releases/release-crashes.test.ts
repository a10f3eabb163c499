import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import { findVersion } from '../../../shared/releases/release-repository.ts';
import type { SellerEvent } from '../../../shared/seller-events/seller-event.ts';
import { crashPoints, createCrashPlan } from '../../support/engines/faults.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import type { TestReply } from '../../support/http/http-event.ts';
import { sampleRelease } from '../../support/scenes/releases/release-harness.ts';
import { createTableCheck } from '../../support/scenes/releases/table-check.ts';
import { startUpdateScene, type UpdateScene, windowsFull } from '../../support/scenes/releases/update-scene.ts';

const plan = createCrashPlan();
let scene: UpdateScene;
let readAll: TestTable['readAll'];
let findFaults: () => Promise<string[]>;
/** What the check tells of the scene itself, whose seller was not made through the interface. */
let known: string[];
beforeAll(async () => {
  const engine = await createTestTable({ faults: plan });
  scene = await startUpdateScene({ table: engine.table, faults: plan });
  readAll = engine.readAll;
  findFaults = createTableCheck(engine.tableName);
  known = await findFaults();
});
afterAll(() => scene.stop());

let last = 0;
const artifactOf = async (version: string) => {
  const fileId = await scene.plantFile(`Lumen-${version}-${crypto.randomUUID()}.nupkg`);
  return { ...windowsFull(version), file_id: fileId };
};
type State = 'draft' | 'submitted' | 'approved' | 'published';
async function released(state: State, body: object = {}) {
  const version = `${++last}.0.0`;
  return scene[state](version, { artifacts: [await artifactOf(version)], ...body });
}
const moving = (state: State, move: (id: string) => Promise<TestReply>, body?: object) => async () => {
  const { id, version } = await released(state, body);
  return { version, act: () => move(id) };
};

interface Move {
  /** Up to the move, which may be asked for again. */
  prepare(): Promise<{ version: string; act: () => Promise<unknown> }>;
  /** The release's status and revision and whether its files can be had, before the move and after it. */
  states: [before: string, after: string];
  /** What its seller’s systems are told of the release in the end. */
  told?: SellerEvent['type'][];
}
const toldOfApproval: SellerEvent['type'][] = ['release.reviewed'];
const toldOfPublication: SellerEvent['type'][] = [...toldOfApproval, 'release.published'];
const approve = (id: string) => scene.review(id, { decision: 'approve' });
const to = (move: string, body?: Record<string, unknown>) => (id: string) => scene.move(id, move, body);

const moves: Record<string, Move> = {
  'a new draft': {
    async prepare() {
      const version = `${++last}.0.0`;
      const artifacts = [await artifactOf(version)];
      return { version, act: () => scene.save({ ...sampleRelease(version), artifacts }) };
    },
    states: ['none', 'draft 1 false'],
  },
  'an edit that swaps the files of a draft': {
    async prepare() {
      const { version } = await released('draft');
      const artifacts = [await artifactOf(version), { ...(await artifactOf(version)), arch: 'arm64' }];
      return { version, act: () => scene.save({ version, artifacts }) };
    },
    states: ['draft 1 false', 'draft 2 false,false'],
  },
  'deleting a draft': { prepare: moving('draft', to('delete')), states: ['draft 1 false', 'none'] },
  'a submission': { prepare: moving('draft', to('submit')), states: ['draft 1 false', 'pending_review 2 false'] },
  'a withdrawal': { prepare: moving('approved', to('withdraw')), states: ['approved 3 true', 'draft 4 true'], told: toldOfApproval },
  'an approval': { prepare: moving('submitted', approve), states: ['pending_review 2 false', 'approved 3 true'], told: toldOfApproval },
  'an approval that publishes': {
    prepare: moving('submitted', approve, { publish_on_approval: true }),
    states: ['pending_review 2 false', 'published 3 true'],
    told: toldOfPublication,
  },
  'a publication': {
    prepare: moving('approved', to('publish')),
    states: ['approved 3 true', 'published 4 true'],
    told: toldOfPublication,
  },
  'taking back what is published': {
    prepare: moving('published', to('yank', { reason: 'It loses settings.' })),
    states: ['published 4 true', 'yanked 5 false'],
    told: [...toldOfPublication, 'release.yanked'],
  },
  'a scan that finds a published file infected': {
    async prepare() {
      const { version, artifacts } = await released('published');
      const fileId = artifacts[0].file_id;
      const { versionId = '' } = await scene.files.file(fileId);
      const result = { versionId, engine: 'clamav', trusted: true, verdict: 'infected', at: new Date().toISOString() } as const;
      return { version, act: () => recordScan(scene.files.c, { productId: scene.product.id, fileId }, result) };
    },
    states: ['published 4 true', 'published 5 false'],
    told: toldOfPublication,
  },
};

async function shown(version: string): Promise<string> {
  const release = await findVersion(scene.table, scene.product.id, version);
  if (!release) return 'none';
  const { status, revision, artifacts } = (await scene.show(release.id)).json;
  return `${status} ${revision} ${artifacts.map(({ available }: { available: boolean }) => available)}`;
}

/** What the systems of its seller are told of each version. */
async function toldByVersion() {
  const events = Object.values(await readAll()).flatMap(({ payload }) => (payload ? [payload as Partial<SellerEvent>] : []));
  const told = events.flatMap(({ type, data }) => (data && 'version' in data ? [{ type, version: data.version }] : []));
  return Map.groupBy(told, ({ version }) => version);
}

test.each(Object.entries(moves))(
  '%s is done whole or not at all wherever it is cut off, and once however often it is asked for',
  async (_, { prepare, states, told = [] }) => {
    const [before, after] = states;
    const cutOff = async (call: number, when: 'before' | 'after') => {
      const { version, act } = await prepare();
      expect(await shown(version)).toBe(before);
      plan.crashAt(call, when);
      await Promise.resolve(act()).catch(() => undefined);
      const { calls } = plan;
      plan.revive();
      expect(states).toContain(await shown(version));
      return { calls, version, act };
    };
    const cut = [await cutOff(Number.POSITIVE_INFINITY, 'before')];
    for (const { call, when } of crashPoints(cut[0]?.calls ?? 0)) cut.push(await cutOff(call, when));
    expect(await findFaults()).toEqual(known);
    for (const { version, act } of cut) {
      await act();
      expect(await shown(version)).toBe(after);
    }
    expect(await findFaults()).toEqual(known);
    const byVersion = await toldByVersion();
    for (const { version } of cut) expect((byVersion.get(version) ?? []).map(({ type }) => type).sort()).toEqual(told.toSorted());
  },
);
