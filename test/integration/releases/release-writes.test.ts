import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import type { FileId } from '../../../shared/ids.ts';
import { readIndex } from '../../../shared/releases/release-index-repository.ts';
import { findVersion, listReleases } from '../../../shared/releases/release-repository.ts';
import type { SellerEvent } from '../../../shared/seller-events/seller-event.ts';
import { crashPoints, createCrashPlan, type Faults } from '../../support/engines/faults.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import type { TestReply } from '../../support/http/http-event.ts';
import { createInterrupter, interruptionsOf } from '../../support/interrupt.ts';
import { sampleRelease } from '../../support/scenes/releases/release-harness.ts';
import { createTableCheck } from '../../support/scenes/releases/table-check.ts';
import { startUpdateScene, type UpdateScene, windowsFull } from '../../support/scenes/releases/update-scene.ts';
import { expectSerializable, type Pair } from '../../support/serializable.ts';

const plan = createCrashPlan();
const interrupter = createInterrupter();
const faults: Faults = { call: (name, make) => plan.call(name, () => interrupter.call(name, make)) };
let scene: UpdateScene;
let readAll: TestTable['readAll'];
let findFaults: () => Promise<string[]>;
/** What the check tells of the scene itself, whose seller and license were not made through the interface. */
let known: string[];
let ticket: string;
beforeAll(async () => {
  const engine = await createTestTable({ faults });
  scene = await startUpdateScene({ table: engine.table, faults });
  readAll = engine.readAll;
  findFaults = createTableCheck(engine.tableName);
  ticket = scene.ticketOf(await scene.license());
  known = await findFaults();
});
afterAll(() => scene.stop());

let last = 0;
const nameOf = (version: string) => `Lumen-${version}-full.nupkg`;
const artifactOf = async (version: string, build = version) => ({
  ...windowsFull(version),
  build,
  file_id: await scene.plantFile(nameOf(version)),
});
type State = 'draft' | 'submitted' | 'approved' | 'published';
async function released(state: State, { version = `${++last}.0.0`, build = version, ...body }: Record<string, string | boolean> = {}) {
  return scene[state](String(version), { artifacts: [await artifactOf(String(version), String(build))], ...body });
}
/** What is to be done once the scanner has found the file infected. */
async function infectionOf(fileId: FileId) {
  const { versionId = '' } = await scene.files.file(fileId);
  const result = { versionId, engine: 'clamav', trusted: true, verdict: 'infected', at: new Date().toISOString() } as const;
  return () => recordScan(scene.files.c, { productId: scene.product.id, fileId }, result);
}
const moving =
  (state: State, move: (id: string) => Promise<TestReply>, body: Record<string, boolean> = {}) =>
  async () => {
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
      return { version, act: await infectionOf(artifacts[0].file_id) };
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

/** `done`, or the code of the error. */
const outcomeOf = (ask: () => Promise<TestReply>) => async () => {
  const { status, json } = await ask();
  return status < 400 ? 'done' : String(json.code);
};
const move = (id: string, name: string, body?: object) => outcomeOf(() => scene.move(id, name, body as Record<string, unknown>));
const download = (version: string) =>
  outcomeOf(() => scene.call('GET', `${scene.base}/${ticket}/files/${version}/windows-x64/${nameOf(version)}`));
/** Status, notes, and whether its file can be had, as told and in fact. */
async function stateOf({ id, version }: { id: string; version: string }) {
  const { json } = await scene.show(id);
  return [json.status, json.notes.slice(0, 4), json.artifacts[0].available, await download(version)()];
}

/** New releases, two requests about them, and what they are in the end. */
const pairs: Record<string, () => Promise<Pair>> = {
  async 'two publications whose builds contradict each other'() {
    const [lower, higher] = [`${++last}.0.0`, `${last}.1.0`];
    const one = await released('approved', { version: lower, build: higher });
    const other = await released('approved', { version: higher, build: lower });
    return { tasks: [move(one.id, 'publish'), move(other.id, 'publish')], end: async () => [await stateOf(one), await stateOf(other)] };
  },
  async 'two publications of one release'() {
    const release = await released('approved');
    return { tasks: [move(release.id, 'publish'), move(release.id, 'publish')], end: () => stateOf(release) };
  },
  async 'two approvals that publish one release'() {
    const release = await released('submitted', { publish_on_approval: true });
    const approveIt = outcomeOf(() => scene.review(release.id, { decision: 'approve' }));
    return { tasks: [approveIt, approveIt], end: () => stateOf(release) };
  },
  async 'a withdrawal and an approval that publishes'() {
    const release = await released('submitted', { publish_on_approval: true });
    const approve = outcomeOf(() => scene.review(release.id, { decision: 'approve' }));
    return { tasks: [move(release.id, 'withdraw'), approve], end: () => stateOf(release) };
  },
  async 'an edit and a submission'() {
    const release = await released('draft');
    const edit = outcomeOf(() => scene.save({ version: release.version, notes: 'Late' }));
    return { tasks: [edit, move(release.id, 'submit')], end: () => stateOf(release) };
  },
  async 'a submission and the withdrawal of its file'() {
    const release = await released('draft');
    const withdraw = outcomeOf(() => scene.files.withdraw(release.artifacts[0].file_id));
    return { tasks: [move(release.id, 'submit'), withdraw], end: () => stateOf(release) };
  },
  async 'two drafts that take one file'() {
    const versions = [`${++last}.0.0`, `${++last}.0.0`] as const;
    const artifacts = [await artifactOf(versions[0])];
    const save = (version: string) => outcomeOf(() => scene.save({ ...sampleRelease(version), artifacts }));
    const isThere = async (version: string) => (await findVersion(scene.table, scene.product.id, version)) !== undefined;
    return { tasks: [save(versions[0]), save(versions[1])], end: () => Promise.all(versions.map(isThere)) };
  },
  async 'a yank and a download'() {
    const release = await released('published');
    return { tasks: [move(release.id, 'yank', { reason: 'It loses settings.' }), download(release.version)], end: () => stateOf(release) };
  },
  async 'a publication and the scan that finds its file infected'() {
    const release = await released('approved');
    return { tasks: [move(release.id, 'publish'), await infectionOf(release.artifacts[0].file_id)], end: () => stateOf(release) };
  },
};

/** A product has few releases that were never published: what is looked at makes room. */
async function makeRoom(): Promise<void> {
  const { unpublished } = (await readIndex(scene.table, scene.product.id)).index;
  if (unpublished < 18) return;
  expect(await findFaults()).toEqual(known);
  const { items } = await listReleases(scene.table, scene.product.id, { limit: 100 });
  for (const { id } of items.filter(({ publishedAt }) => publishedAt === undefined)) {
    await scene.move(id, 'withdraw');
    await scene.move(id, 'delete');
  }
}

describe('wherever one comes in between the requests of the other, both end as one after the other:', () => {
  test.each(Object.keys(pairs))(
    '%s',
    async (name) => {
      await expectSerializable(interruptionsOf(interrupter), async () => {
        await makeRoom();
        return pairs[name]!();
      });
      expect(await findFaults()).toEqual(known);
    },
    120_000,
  );
});
