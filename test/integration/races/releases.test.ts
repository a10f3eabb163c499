import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordScan } from '../../../functions/file-scanner/record-scan.ts';
import type { FileId } from '../../../shared/ids.ts';
import { readIndex } from '../../../shared/releases/release-index-repository.ts';
import { findVersion, listReleases } from '../../../shared/releases/release-repository.ts';
import { createTestTable } from '../../support/engines/test-table.ts';
import type { TestReply } from '../../support/http/http-event.ts';
import { createInterrupter, interruptionsOf } from '../../support/interrupt.ts';
import { sampleRelease } from '../../support/scenes/releases/release-harness.ts';
import { createTableCheck } from '../../support/scenes/releases/table-check.ts';
import { startUpdateScene, type UpdateScene, windowsFull } from '../../support/scenes/releases/update-scene.ts';
import { expectSerializable, type Pair } from '../../support/serializable.ts';

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
const download = (version: string) =>
  outcomeOf(() => scene.call('GET', `${scene.base}/${ticket}/files/${version}/windows-x64/${nameOf(version)}`));
const infect = (fileId: FileId) => async () => {
  const { versionId = '' } = await scene.files.file(fileId);
  const result = { versionId, engine: 'clamav', trusted: true, verdict: 'infected', at: new Date().toISOString() } as const;
  await recordScan(scene.files.c, { productId: scene.product.id, fileId }, result);
};
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
    return { tasks: [move(release.id, 'publish'), infect(release.artifacts[0].file_id)], end: () => stateOf(release) };
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
