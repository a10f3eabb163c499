import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { load } from 'js-yaml';
import { sample } from '../../infra/documents/site/languages.ts';
import { offerProduct, type StackHarness, startStackHarness } from '../support/scenes/stack-harness.ts';

// A stack starts here.
jest.setTimeout(60_000);

const hasTools = ['bash', 'curl', 'jq', 'sha256sum'].every((tool) => spawnSync(tool, ['--version']).status === 0);
if (!hasTools && process.env['CI']) throw new Error('bash, curl, jq or sha256sum is missing.');

(hasTools ? describe : describe.skip)('the script and the workflow that hand in a release', () => {
  let harness: StackHarness;
  let product: { id: string };
  let token: { id: string; token: string };
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const save = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const artifact = (file: string, more: object = {}) => ({ file, platform: 'linux', arch: 'x64', kind: 'full', ...more });

  beforeAll(async () => {
    harness = await startStackHarness();
    product = await offerProduct(harness, { name: 'Released by CI' });
    const scopes = ['releases:read', 'releases:write'];
    token = await harness.call('POST', '/v1/api-tokens', {
      as: 'seller',
      body: { name: 'CI', scopes, product_ids: [product.id], expires_in_days: 1 },
    });
    for (const name of ['.github', 'dist']) mkdirSync(join(folder, name));
    save('.github/release.sh', sample('release.sh'));
    save('NOTES.md', '# 新機能\n\n"Quotes" and <b>tags</b>');
    save('dist/app one.zip', 'a');
    save('dist/app.AppImage', 'An app for Linux');
    save('dist/app.zip', 'An app for macOS');
  });
  afterAll(() => harness?.stop());

  /** Runs the last step of the workflow, as GitHub does for the tag of the version. */
  function run(version: string, release: object, env: Record<string, string> = {}): { code: number | null; said: string } {
    save('release.json', JSON.stringify(release));
    const workflow = load(sample('release.yml')) as { jobs: { release: { steps: { run?: string; env?: object }[] } } };
    const step = workflow.jobs.release.steps.at(-1);
    const given = { LICENSE_SERVICE: harness.baseUrl, LICENSE_TOKEN: token.token, PRODUCT_ID: product.id };
    expect(Object.keys(step?.env ?? {})).toEqual(Object.keys(given));
    const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-e', '-c', step?.run ?? ''], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], GITHUB_REF_NAME: `v${version}`, ...given, ...env },
    });
    const said = stdout + stderr;
    expect(said).not.toContain(token.token);
    return { code: status, said };
  }

  const releases = async () => (await harness.call('GET', `/v1/products/${product.id}/releases`, { as: 'seller' })).items;
  const files = async () => (await harness.call('GET', `/v1/products/${product.id}/files`, { as: 'seller' })).items;
  const both = {
    critical: true,
    artifacts: [
      artifact('dist/app.AppImage', { feeds: ['electron'], minimum_os: '5.15' }),
      artifact('dist/app.zip', { platform: 'macos', arch: 'x64', feeds: ['electron'] }),
      artifact('dist/app.zip', { platform: 'macos', arch: 'arm64', feeds: ['electron'] }),
    ],
  };

  test('uploads, makes the draft and hands it in; once more it changes nothing', async () => {
    const first = run('1.2.0-beta.1', both);
    expect(first).toEqual({ code: 0, said: expect.stringMatching(/1\.2\.0-beta\.1 is handed in \(rel_\w+\): pending_review\n$/) });
    const [release] = await releases();
    expect(release).toMatchObject({
      version: '1.2.0-beta.1',
      channel: 'beta',
      notes: '# 新機能\n\n"Quotes" and <b>tags</b>',
      critical: true,
      status: 'pending_review',
      artifacts: [
        { file_name: 'app.AppImage', platform: 'linux', feeds: ['electron'], minimum_os: '5.15' },
        { file_name: 'app.zip', arch: 'x64' },
        { file_name: 'app.zip', arch: 'arm64' },
      ],
    });
    expect(run('1.2.0-beta.1', both)).toEqual({ code: 0, said: '1.2.0-beta.1 is pending_review already\n' });
    expect(await files()).toHaveLength(2);
    save('dist/app.zip', 'Another app for macOS');
    expect(run('1.2.0-beta.1', both)).toEqual({ code: 1, said: expect.stringContaining('It has other files') });
  });

  test('goes on with a draft, and uploads what is new alone', async () => {
    const [{ id }] = await releases();
    await harness.call('POST', `/v1/products/${product.id}/releases/${id}/withdraw`, { as: 'seller' });
    save('NOTES.md', 'Other notes');
    const again = run('1.2.0-beta.1', both);
    expect(again).toEqual({ code: 0, said: expect.stringMatching(/^Uploading dist\/app\.zip\n1\.2\.0-beta\.1 is handed in/) });
    expect(await releases()).toMatchObject([{ id, status: 'pending_review', notes: 'Other notes' }]);
    expect(await files()).toHaveLength(3);
  });

  test('says everything that a release lacks, and keeps its draft', async () => {
    const lacking = run('1.2.0', { artifacts: [artifact('dist/app.zip', { feeds: ['tauri', 'velopack'] })] });
    expect(lacking).toEqual({ code: 1, said: expect.stringMatching(/release_incomplete: .*minisign_signature.*package_id/s) });
    expect((await releases())[0]).toMatchObject({ version: '1.2.0', channel: 'stable', status: 'draft' });
  });

  test.each<[string, object, Record<string, string>, string]>([
    ['a file is not there', { artifacts: [artifact('dist/none.zip')] }, {}, 'dist/none.zip: no such file'],
    ['a name is not one', { artifacts: [artifact('dist/app one.zip')] }, {}, 'invalid_request: filename must be'],
    ['the token is wrong', both, { LICENSE_TOKEN: `lst_${'0'.repeat(26)}_${'a'.repeat(43)}` }, 'unauthenticated'],
    ['nothing answers', both, { LICENSE_SERVICE: 'http://127.0.0.1:9' }, 'No answer from http://127.0.0.1:9'],
    ['it is not set up', both, { LICENSE_TOKEN: '' }, 'PRODUCT_ID VERSION NOTES.md RELEASE.json'],
  ])('fails and says so when %s', (_, release, env, said) => {
    const failed = run('1.3.0', release, env);
    expect(failed.said).toContain(said);
    expect(failed.code).toBeGreaterThan(0);
  });
});
