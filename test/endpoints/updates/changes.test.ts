import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { sampleSignature } from '../../support/scenes/releases/release-harness.ts';
import { startUpdateScene, type UpdateScene, windowsFull } from '../../support/scenes/releases/update-scene.ts';

let engine: TestTable;
let scene: UpdateScene;
let path: string;
beforeAll(async () => {
  engine = await createTestTable();
  scene = await startUpdateScene({ table: engine.table });
  path = `${scene.base}/${scene.ticketOf(await scene.license())}/check/beta/windows/x64?current=0.1.0`;
});
afterAll(() => scene.stop());

/** What an instance that has answered before tells, and one that has not. */
async function offered(): Promise<unknown> {
  const [known, fresh] = [(await scene.call('GET', path)).json, (await scene.callAnew('GET', path)).json];
  expect(known).toEqual(fresh);
  return known.update?.version ?? known.code;
}

test('whatever happens to a release shows at the next call, in every instance', async () => {
  expect(await offered()).toBe('no_release');
  const one = await scene.windows('1.0.0');
  expect(await offered()).toBe('1.0.0');
  const two = await scene.windows('2.0.0-beta.1');
  expect(await offered()).toBe('2.0.0-beta.1');
  await scene.move(two.id, 'publish', { rollout_percent: 0 });
  expect(await offered()).toBe('1.0.0');
  await scene.move(two.id, 'publish', { rollout_percent: 100 });
  expect(await offered()).toBe('2.0.0-beta.1');
  await scene.files.review(two.artifacts[0].file_id, { decision: 'disable' });
  expect(await offered()).toBe('1.0.0');
  await scene.files.change({ product: { status: 'suspended' } });
  expect(await offered()).toBe('product_unavailable');
  await scene.files.change({ product: { status: 'draft' }, seller: { internalReviewStatus: 'suspended' } });
  expect(await offered()).toBe('product_unavailable');
  await scene.files.change({ seller: { internalReviewStatus: 'approved' } });
  expect(await offered()).toBe('1.0.0');
  await scene.move(one.id, 'yank', { reason: 'It loses files.' });
  expect(await offered()).toBe('no_release');
});

test('who runs a version that was taken back is told, wherever it looks', async () => {
  for (const place of ['stable/windows/x64', 'stable/macos/arm64']) {
    const check = async (current: string) =>
      (await scene.call('GET', path.replace(/beta\/.*$/, `${place}?current=${current}`))).json.current_yanked;
    expect([await check('1.0.0'), await check('2.0.0-beta.1'), await check('9.0.0')]).toEqual([true, undefined, undefined]);
  }
});

test('a feed takes two requests to the table, and a third for what is new, whatever it shows of it', async () => {
  const call = scene.files.openService();
  const requestsOf = async (feed: string) => {
    engine.takeRequestCounts();
    expect((await call('GET', path.replace(/check.*/, feed))).headers['x-update-code']).toBe('update_available');
    return engine.takeRequestCounts();
  };
  const [appcast, check] = ['appcast/stable/windows/x64', 'check/stable/windows/x64'];
  await scene.windows('1.1.0', { notes: '- One\n- Two' });
  expect(await requestsOf(appcast)).toEqual({ BatchGetItem: 3 });
  for (const feed of [appcast, check]) expect(await requestsOf(feed)).toEqual({ BatchGetItem: 2 });
  await scene.windows('1.2.0');
  expect(await requestsOf(check)).toEqual({ BatchGetItem: 3 });
  expect(await requestsOf(appcast)).toEqual({ BatchGetItem: 2 });
});

test('a delta leads from a version that was taken back, in every instance, and from none that was never published', async () => {
  const fulls = [];
  for (const version of ['3.1.0', '3.2.0']) {
    const file_id = await scene.cleanFile(`Lumen-${version}-full.nupkg`);
    fulls.push({ ...windowsFull(version), file_id });
  }
  const file_id = await scene.cleanFile('Lumen-3.2.0.delta');
  const delta = { file_id, platform: 'windows', arch: 'x64', kind: 'delta', feeds: ['appcast'], from_version: '3.1.0' };
  const base = await scene.published('3.1.0', { artifacts: [fulls[0]] });
  const [unpublished, later] = [await scene.cleanFile('Lumen-3.1.5-full.nupkg'), await scene.cleanFile('Lumen-3.2.0-later.delta')];
  await scene.approved('3.1.5', { artifacts: [{ ...windowsFull('3.1.5'), file_id: unpublished }] });
  const signed = { ...delta, ed25519_signature: sampleSignature };
  await scene.published('3.2.0', { artifacts: [fulls[1], signed, { ...signed, file_id: later, from_version: '3.1.5' }] });
  const appcast = path.replace(/check.*/, 'appcast/stable/windows/x64');
  for (const yanks of [false, true]) {
    if (yanks) await scene.move(base.id, 'yank', { reason: 'It loses files.' });
    for (const call of [scene.call, scene.call, scene.callAnew])
      expect((await call('GET', appcast)).text.match(/(?<=sparkle:deltaFrom=")[^"]*/g)).toEqual(['3.1.0']);
  }
});
