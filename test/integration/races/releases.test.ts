import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import type { FileId } from '../../../shared/ids.ts';
import { readIndex } from '../../../shared/releases/release-index-repository.ts';
import { findVersion, listReleases } from '../../../shared/releases/release-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import type { TestReply } from '../../support/http/http-event.ts';
import { atEveryCall, createInterrupter } from '../../support/interrupt.ts';
import { sampleRelease } from '../../support/scenes/releases/release-harness.ts';
import { createTableCheck } from '../../support/scenes/releases/table-check.ts';
import { startUpdateScene, type UpdateScene, windowsFull } from '../../support/scenes/releases/update-scene.ts';

const interrupter = createInterrupter();
let scene: UpdateScene;
let findFaults: () => Promise<string[]>;
/** What the check tells of the scene itself, whose seller and license were not made through the interface. */
let known: string[];
let ticket: string;
beforeAll(async () => {
  const { table, tableName } = await createTestTable({ faults: interrupter });
  scene = await startUpdateScene({ table, faults: interrupter });
  findFaults = createTableCheck(tableName);
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

/** `done`, or the code of the error. */
const outcomeOf = (ask: () => Promise<TestReply>) => async () => {
  const { status, json } = await ask();
  return status < 400 ? 'done' : String(json.code);
};
const move = (id: string, name: string, body?: object) => outcomeOf(() => scene.move(id, name, body as Record<string, unknown>));
const approve = (id: string) => outcomeOf(() => scene.review(id, { decision: 'approve' }));
const download = (version: string) =>
  outcomeOf(() => scene.call('GET', `${scene.base}/${ticket}/files/${version}/windows-x64/${nameOf(version)}`));
const infect = (fileId: FileId) => async () => {
  const { versionId = '' } = await scene.files.file(fileId);
  const result = { versionId, engine: 'clamav', trusted: true, verdict: 'infected', at: new Date().toISOString() } as const;
  await recordScan(scene.files.c, { productId: scene.product.id, fileId }, result);
  return 'done';
};
/** Status, and whether its file can be had. */
async function stateOf(id: string): Promise<string> {
  const { status, json } = await scene.show(id);
  return status === 404 ? 'gone' : `${json.status} ${json.artifacts[0].available}`;
}

interface Pair {
  name: string;
  /** The two requests, and what the end looks like; each end that may be, with what was answered to the two before it. */
  prepare(): Promise<{ one: () => Promise<string>; other: () => Promise<string>; end: () => Promise<string> }>;
  ends: string[];
}
const yank = { reason: 'It loses settings.' };

const pairs: Pair[] = [
  {
    name: 'two publications whose builds contradict each other: one is published',
    async prepare() {
      const [lower, higher] = [`${++last}.0.0`, `${last}.1.0`];
      const one = await released('approved', { version: lower, build: higher });
      const other = await released('approved', { version: higher, build: lower });
      const end = async () => `${await stateOf(one.id)}, ${await stateOf(other.id)}`;
      return { one: move(one.id, 'publish'), other: move(other.id, 'publish'), end };
    },
    ends: ['done, build_out_of_order: published true, approved true', 'build_out_of_order, done: approved true, published true'],
  },
  {
    name: 'a withdrawal and an approval that publishes: the one that came first',
    async prepare() {
      const { id } = await released('submitted', { publish_on_approval: true });
      return { one: move(id, 'withdraw'), other: approve(id), end: () => stateOf(id) };
    },
    ends: ['release_state_conflict, done: published true', 'done, release_state_conflict: draft false'],
  },
  {
    name: 'an edit and a submission: what waits for review is what was handed in',
    async prepare() {
      const { id, version } = await released('draft');
      const notes = async () => (await scene.show(id)).json.notes.slice(0, 4);
      const edit = outcomeOf(() => scene.save({ version, notes: 'Late' }));
      return { one: edit, other: move(id, 'submit'), end: async () => `${await stateOf(id)} ${await notes()}` };
    },
    ends: ['done, done: pending_review false Late', 'version_taken, done: pending_review false What'],
  },
  {
    name: 'a submission and the withdrawal of its file: the one that came first',
    async prepare() {
      const { id, artifacts } = await released('draft');
      return { one: move(id, 'submit'), other: outcomeOf(() => scene.files.withdraw(artifacts[0].file_id)), end: () => stateOf(id) };
    },
    ends: ['done, file_in_use: pending_review false', 'release_incomplete, done: draft false'],
  },
  {
    name: 'two drafts that take one file: one has it',
    async prepare() {
      const [one, other] = [`${++last}.0.0`, `${++last}.0.0`];
      const artifacts = [await artifactOf(one)];
      const save = (version: string) => outcomeOf(() => scene.save({ ...sampleRelease(version), artifacts }));
      const end = async () =>
        `${(await Promise.all([one, other].map((version) => findVersion(scene.table, scene.product.id, version)))).filter(Boolean).length}`;
      return { one: save(one), other: save(other), end };
    },
    ends: ['done, file_in_use: 1', 'file_in_use, done: 1'],
  },
  {
    name: 'a yank and a download: nothing can be had afterwards',
    async prepare() {
      const { id, version } = await released('published');
      return {
        one: move(id, 'yank', yank),
        other: download(version),
        end: async () => `${await stateOf(id)} ${await download(version)()}`,
      };
    },
    ends: ['done, done: yanked false file_not_available', 'done, file_not_available: yanked false file_not_available'],
  },
  {
    name: 'a publication and the scan that finds its file infected: nothing can be had afterwards',
    async prepare() {
      const { id, version, artifacts } = await released('approved');
      const end = async () => `${await stateOf(id)} ${await download(version)()}`;
      return { one: move(id, 'publish'), other: infect(artifacts[0].file_id), end };
    },
    ends: ['done, done: published false file_not_available', 'file_state_conflict, done: approved false file_not_found'],
  },
];

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

describe('wherever one comes in between the requests of the other', () => {
  test.each(pairs)(
    '$name',
    async ({ prepare, ends }) => {
      const met = new Set<string>();
      await atEveryCall(async (race) => {
        await makeRoom();
        const { one, other, end } = await prepare();
        const outcomes = await race(one, other);
        met.add(`${outcomes.join(', ')}: ${await end()}`);
      }, interrupter);
      expect([...met].sort()).toEqual(ends.toSorted());
      expect(await findFaults()).toEqual(known);
    },
    120_000,
  );
});

test('of fifty edits at once none is lost', async () => {
  await makeRoom();
  const { version, id } = await released('draft');
  const edits = Array.from({ length: 50 }, (_, index) => scene.save({ version, notes: `Edit ${index}` }));
  const replies = await Promise.all(edits);
  const done = replies.filter(({ status }) => status === 200).length;
  expect((await scene.show(id)).json.revision).toBe(1 + done);
  // Who is crowded out is told to come again, and nothing of it is there.
  expect(new Set(replies.map(({ status }) => status).filter((status) => status !== 200))).toEqual(new Set(done < 50 ? [503] : []));
  expect(await findFaults()).toEqual(known);
});
