import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { load } from 'js-yaml';
import { sample } from '../../infra/documents/site/languages.ts';
import { openGuide } from '../support/http/guide-code.ts';
import { eventually, offerProduct, type StackHarness, startStackHarness } from '../support/scenes/stack-harness.ts';

type Outcome = { code: number; said: string };

// A stack starts here.
jest.setTimeout(60_000);

const hasTools = ['bash', 'curl', 'jq', 'sha256sum'].every((tool) => spawnSync(tool, ['--version']).status === 0);
if (!hasTools && process.env['CI']) throw new Error('bash, curl, jq or sha256sum is missing.');

(hasTools ? describe : describe.skip)('the script and the workflow that hand in a release', () => {
  let harness: StackHarness;
  let product: { id: string };
  let token: { id: string; token: string };
  let guide: (caption: string) => string;
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const save = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const artifact = (file: string, more: object = {}) => ({ file, platform: 'linux', arch: 'x64', kind: 'full', ...more });

  beforeAll(async () => {
    harness = await startStackHarness();
    product = await offerProduct(harness, { name: 'Released by CI' });
    guide = await openGuide(`${harness.baseUrl}/docs/updates`, product.id);
    token = await harness.call('POST', '/v1/api-tokens', { as: 'seller', body: JSON.parse(guide('POST /v1/api-tokens')) });
    for (const name of ['.github', 'dist']) mkdirSync(join(folder, name));
    save('.github/release.sh', sample('release.sh'));
    save('NOTES.md', '# 新機能\r\n\r\n"Quotes" and <b>tags</b>');
    save('dist/app one.zip', 'a');
    save('dist/app.AppImage', 'An app for Linux');
    save('dist/app.zip', 'An app for macOS');
  });
  afterAll(() => harness?.stop());

  /** Runs a command as GitHub does for the tag of the version, with what the build wrote. */
  function bash(command: string, version: string, release: object, env: Record<string, string> = {}, cwd = folder): Promise<Outcome> {
    writeFileSync(join(cwd, 'release.json'), JSON.stringify(release));
    const given = { LICENSE_SERVICE: harness.baseUrl, LICENSE_TOKEN: token.token, PRODUCT_ID: product.id };
    const options = { cwd, env: { PATH: process.env['PATH'], GITHUB_REF_NAME: `v${version}`, ...given, ...env } };
    return new Promise((resolve) => {
      execFile('bash', ['--noprofile', '--norc', '-e', '-c', command], options, (error, stdout, stderr) => {
        const said = stdout + stderr;
        expect(said).not.toContain(token.token);
        resolve({ code: error ? Number(error.code) : 0, said });
      });
    });
  }

  const workflow = load(sample('release.yml')) as {
    concurrency: string;
    env: object;
    jobs: Record<'build' | 'submit', { steps: { run: string; env: object }[] }>;
  };
  const lastOf = (name: 'build' | 'submit') => workflow.jobs[name].steps.at(-1) ?? { run: '', env: {} };
  /** For one machine that builds everything. */
  const alone = lastOf('build').run.replace('--add ', '');
  const run = (version: string, release: object, env: Record<string, string> = {}) => bash(alone, version, release, env);
  /** Runs the last step of a job of the workflow in a folder of its own, which has a file of that content. */
  function job(name: 'build' | 'submit', version: string, file = '', content = '', command = lastOf(name).run): Promise<Outcome> {
    const step = lastOf(name);
    expect(Object.keys({ ...workflow.env, ...step.env })).toEqual(['LICENSE_SERVICE', 'PRODUCT_ID', 'LICENSE_TOKEN']);
    const cwd = mkdtempSync(join(tmpdir(), 'job-'));
    cpSync(join(folder, '.github'), join(cwd, '.github'), { recursive: true });
    writeFileSync(join(cwd, 'NOTES.md'), 'Built by two\n');
    if (file) writeFileSync(join(cwd, file), content);
    return bash(command, version, { artifacts: [artifact(file)] }, {}, cwd);
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
    const first = await run('1.2.0-beta.1', both);
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
    expect(await run('1.2.0-beta.1', both)).toEqual({ code: 0, said: '1.2.0-beta.1 is pending_review already\n' });
    expect(await files()).toHaveLength(2);
    save('dist/app.zip', 'Another app for macOS');
    const said = '1.2.0-beta.1 is pending_review without dist/app.zip: withdraw it, or choose another version.\n';
    expect(await run('1.2.0-beta.1', both)).toEqual({ code: 1, said });
  });

  test('goes on with a draft, and uploads what is new alone', async () => {
    const [{ id }] = await releases();
    await harness.call('POST', `/v1/products/${product.id}/releases/${id}/withdraw`, { as: 'seller' });
    save('NOTES.md', 'Other notes');
    const again = await run('1.2.0-beta.1', both);
    expect(again).toEqual({ code: 0, said: expect.stringMatching(/^Uploading dist\/app\.zip\n1\.2\.0-beta\.1 is handed in/) });
    expect(await releases()).toMatchObject([{ id, status: 'pending_review', notes: 'Other notes' }]);
    expect(await files()).toHaveLength(3);
  });

  /** As `command` where calls are tried again, and the answer to each upload is lost once. */
  const lossy = (command: string) => `curl() {
    local given=$(cat)
    [[ $* == *' --retry 4 '* ]] || return 7
    [[ $* != *--upload-file* ]] || command curl "$@" <<<"$given" >/dev/null
    command curl "$@" <<<"$given"
  }; export -f curl; ${command}`;

  test('adds what each job of a build has, at once, and hands it in as a whole', async () => {
    const commands = { 'a.zip': lastOf('build').run, 'b.zip': lastOf('build').run, 'c.zip': lossy(lastOf('build').run) };
    const built = await Promise.all(Object.entries(commands).map(([file, command]) => job('build', '1.4.0', file, file, command)));
    const added = { code: 0, said: expect.stringMatching(/^Uploading \w\.zip\n1\.4\.0 has the files \(rel_\w+\): draft\n$/) };
    expect(built).toEqual([added, added, added]);
    expect(await job('submit', '1.4.0')).toEqual({ code: 0, said: expect.stringMatching(/^1\.4\.0 is handed in/) });
    // A group of all versions would cancel those that wait.
    expect(workflow.concurrency).toContain('github.ref_name');
    const [release] = await releases();
    expect(release).toMatchObject({ version: '1.4.0', status: 'pending_review', notes: 'Built by two\n' });
    expect(release.artifacts.map(({ file_name }: { file_name: string }) => file_name).sort()).toEqual(['a.zip', 'b.zip', 'c.zip']);
    for (const name of ['build', 'submit'] as const)
      expect(await job(name, '1.4.0', 'a.zip', 'a.zip')).toEqual({ code: 0, said: '1.4.0 is pending_review already\n' });
    expect(await job('submit', '1.4.1')).toEqual({ code: 1, said: '1.4.1: there is no such release\n' });
  });

  /** As an admin and the seller do once it is in review. */
  async function publish(id: string, fileId: string) {
    const path = `/v1/admin/products/${product.id}`;
    await eventually('the file is verified', 30, async () =>
      (await files()).find((file: { id: string; hash_status: string }) => file.id === fileId && file.hash_status === 'verified'),
    );
    const vouch = { decision: 'manual_clean', manual_scan_clean_reason: 'Made by this test.' };
    await harness.call('PATCH', `${path}/files/${fileId}/review`, { as: 'admin', body: vouch });
    await harness.call('PATCH', `${path}/releases/${id}/review`, { as: 'admin', body: { decision: 'approve' } });
    await harness.call('POST', `/v1/products/${product.id}/releases/${id}/publish`, { as: 'seller' });
  }

  test('fails where another job handed the release in without its files, and says what can be done', async () => {
    await job('build', '1.5.0', 'a.zip', 'a');
    /** For one machine, where another runs a command before that call. */
    const after = (command: string, call: string) =>
      `curl() { [[ $* != */${call} ]] || { ${command}; } </dev/null >/dev/null; command curl "$@"; }; export -f curl; ${alone}`;
    const submitted = 'bash .github/release.sh --submit "$PRODUCT_ID" 1.5.0';
    const late = await job('build', '1.5.0', 'b.zip', 'b', after(submitted, 'artifacts'));
    const without = (status: string, advice: string) => expect.stringContaining(` is ${status} without b.zip: ${advice}.\n`);
    expect(late).toEqual({ code: 1, said: without('pending_review', 'withdraw it, or choose another version') });
    const [{ id, artifacts }] = await releases();
    expect(artifacts).toMatchObject([{ file_name: 'a.zip' }]);
    await publish(id, artifacts[0].file_id);
    expect(await job('build', '1.5.0', 'b.zip', 'b')).toEqual({ code: 1, said: without('published', 'choose another version') });
    const replaced = 'echo other >b.zip; bash .github/release.sh --add "$PRODUCT_ID" 1.5.1 NOTES.md release.json';
    const early = await job('build', '1.5.1', 'b.zip', 'b', after(replaced, 'submit'));
    expect(early).toEqual({ code: 1, said: without('pending_review', 'withdraw it, or choose another version') });
  });

  test('reads what builders wrote beside the files', async () => {
    const signature = Buffer.alloc(64, 7).toString('base64');
    const minisign = Buffer.from('untrusted comment: signature from tauri secret key').toString('base64');
    const asset = (Version: string, Type: string) => ({ PackageId: 'Lumen', Version, Type, FileName: `Lumen-${Version}-${Type}.nupkg` });
    const written: Record<string, string> = {
      // electron-builder
      'electron/latest.yml': [
        'version: 1.6.0',
        'files:',
        '  - url: Lumen-Setup-1.6.0.exe',
        '    sha512: c2hhNTEy',
        '    size: 6',
        '  - url: Lumen-1.6.0.exe',
        '    sha512: c2hhNTEy',
        '    size: 6',
        '    blockMapSize: 4096',
        'path: Lumen-Setup-1.6.0.exe',
        'sha512: c2hhNTEy',
        "releaseDate: '2026-02-10T09:00:00.000Z'",
      ].join('\r\n'),
      'electron/Lumen-Setup-1.6.0.exe': 'setup',
      'electron/Lumen-Setup-1.6.0.exe.blockmap': 'block map',
      'electron/Lumen-1.6.0.exe': 'arm64',
      'electron/Lumen-1.6.0.exe.sig': '-----BEGIN PGP SIGNATURE-----',
      'electron/Manual.zip': 'for pages',
      'electron/Manual.zip.blockmap': 'not for pages',
      // vpk pack
      'velopack/releases.win.json': JSON.stringify({
        Assets: [
          asset('1.6.0', 'Full'),
          asset('1.6.0', 'Delta'),
          asset('1.10.0', 'Full'),
          asset('1.5.0', 'Full'),
          asset('1.5.0-rc.2', 'Full'),
        ],
      }),
      'velopack/Lumen-1.6.0-Full.nupkg': 'full',
      'velopack/Lumen-1.6.0-Delta.nupkg': 'delta',
      // generate_appcast
      'sparkle/appcast.xml': `<?xml version="1.0" standalone="yes"?>
<rss xmlns:sparkle="http://www.andymatuschak.org/xml-namespaces/sparkle" version="2.0"><channel><title>Lumen</title>
<item><title>1.6.0</title><sparkle:version>160</sparkle:version><sparkle:shortVersionString>1.6.0</sparkle:shortVersionString>
<sparkle:minimumSystemVersion>13.0</sparkle:minimumSystemVersion>
<enclosure url="https://example.com/Lumen.zip" length="5" type="application/octet-stream" sparkle:edSignature="${signature}"/>
<sparkle:deltas><enclosure url="https://example.com/Lumen160-150.delta" sparkle:deltaFrom="150" sparkle:edSignature="${signature}"/></sparkle:deltas>
</item><item><sparkle:version>150</sparkle:version><sparkle:shortVersionString>1.5.0</sparkle:shortVersionString></item></channel></rss>`,
      'sparkle/Lumen.zip': 'a zip',
      'sparkle/Lumen160-150.delta': 'another delta',
      // tauri build
      'tauri/Lumen.app.tar.gz': 'an archive',
      'tauri/Lumen.app.tar.gz.sig': `${minisign}\n`,
      'tauri/Lumen.AppImage.tar.gz': 'as for Tauri 1',
      'tauri/Lumen.AppImage.tar.gz.sig': minisign,
      'tauri/Lumen-setup.exe': 'an installer',
      'tauri/Lumen-setup.exe.sig': minisign,
    };
    for (const [path, content] of Object.entries(written)) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      save(path, content);
    }
    const [linux, windows, mac] = [
      { platform: 'linux', arch: 'x64' },
      { platform: 'windows', arch: 'x64' },
      { platform: 'macos', arch: 'any' },
    ];
    const artifacts = [
      { file: 'electron/Lumen-Setup-1.6.0.exe', ...windows },
      { file: 'electron/Lumen-1.6.0.exe', ...windows, arch: 'arm64' },
      { file: 'electron/Manual.zip', ...linux, feeds: [] },
      { file: 'velopack/Lumen-1.6.0-Full.nupkg', ...windows },
      { file: 'velopack/Lumen-1.6.0-Delta.nupkg', ...windows },
      { file: 'sparkle/Lumen.zip', ...mac, build: '160.1' },
      { file: 'tauri/Lumen.app.tar.gz', ...mac },
      { file: 'tauri/Lumen.AppImage.tar.gz', ...linux },
      { file: 'tauri/Lumen-setup.exe', ...windows },
    ];
    expect(await run('1.6.0', { artifacts })).toEqual({ code: 0, said: expect.stringContaining('1.6.0 is handed in') });
    const [release] = await releases();
    const told = release.artifacts.map(({ file_id, size_bytes, sha256_hex, available, ...artifact }: Record<string, unknown>) => artifact);
    const electron = { feeds: ['electron'], kind: 'full' };
    const velopack = { ...windows, feeds: ['velopack'], package_id: 'Lumen' };
    const appcast = { ...mac, feeds: ['appcast'], ed25519_signature: signature };
    const tauri = { feeds: ['tauri'], kind: 'full', minisign_signature: minisign };
    expect(told).toEqual([
      { file_name: 'Lumen-Setup-1.6.0.exe', ...windows, ...electron },
      { file_name: 'Lumen-Setup-1.6.0.exe.blockmap', ...windows, ...electron, kind: 'blockmap' },
      { file_name: 'Lumen-1.6.0.exe', ...windows, ...electron, arch: 'arm64', block_map_size: 4096 },
      { file_name: 'Manual.zip', ...linux, feeds: [], kind: 'full' },
      { file_name: 'Lumen-1.6.0-Full.nupkg', ...velopack, kind: 'full' },
      { file_name: 'Lumen-1.6.0-Delta.nupkg', ...velopack, kind: 'delta', from_version: '1.5.0' },
      { file_name: 'Lumen.zip', ...appcast, kind: 'full', build: '160.1', minimum_os: '13.0' },
      { file_name: 'Lumen160-150.delta', ...appcast, kind: 'delta', from_version: '1.5.0' },
      { file_name: 'Lumen.app.tar.gz', ...mac, ...tauri, bundle: 'app' },
      { file_name: 'Lumen.AppImage.tar.gz', ...linux, ...tauri, bundle: 'appimage' },
      { file_name: 'Lumen-setup.exe', ...windows, ...tauri, bundle: 'nsis' },
    ]);
  });

  test('says everything that a release lacks, and keeps its draft', async () => {
    const lacking = await run('1.2.0', { artifacts: [artifact('dist/app.zip', { feeds: ['tauri', 'velopack'] })] });
    expect(lacking).toEqual({ code: 1, said: expect.stringMatching(/release_incomplete: .*minisign_signature.*package_id/s) });
    expect((await releases())[0]).toMatchObject({ version: '1.2.0', channel: 'stable', status: 'draft' });
  });

  test('is fetched as the guide shows, and hands in what its release.json names', async () => {
    const cwd = mkdtempSync(join(tmpdir(), 'repository-'));
    expect(await bash(guide('sh'), '0.9.0', {}, {}, cwd)).toEqual({ code: 0, said: '' });
    for (const path of ['.github/release.sh', '.github/workflows/release.yml'])
      expect(readFileSync(join(cwd, path), 'utf8').trimEnd()).toBe(guide(path));
    const shown = JSON.parse(guide('release.json').replace('…', Buffer.alloc(64, 7).toString('base64')));
    mkdirSync(join(cwd, 'dist'));
    writeFileSync(join(cwd, 'NOTES.md'), 'The first\n');
    for (const { file } of shown.artifacts) writeFileSync(join(cwd, file), file);
    expect(await bash(alone, '0.9.0', shown, {}, cwd)).toEqual({ code: 0, said: expect.stringContaining('0.9.0 is handed in') });
    const [{ id }] = await releases();
    await harness.call('POST', `/v1/products/${product.id}/releases/${id}/withdraw`, { as: 'seller' });
    await harness.call('POST', `/v1/products/${product.id}/releases/${id}/delete`, { as: 'seller' });
  });

  test.each<[string, object, Record<string, string>, string]>([
    ['a file is not there', { artifacts: [artifact('dist/none.zip')] }, {}, 'dist/none.zip: no such file'],
    ['a name is not one', { artifacts: [artifact('dist/app one.zip')] }, {}, 'invalid_request: filename must be'],
    ['the token is wrong', both, { LICENSE_TOKEN: `lst_${'0'.repeat(26)}_${'a'.repeat(43)}` }, 'unauthenticated'],
    ['a proxy answers in its words', both, { 'BASH_FUNC_curl%%': '() { cat >/dev/null; echo 502; }' }, ': HTTP 502\n'],
    ['a proxy answers with nothing', both, { 'BASH_FUNC_curl%%': '() { cat >/dev/null; : >"$work/reply"; echo 502; }' }, ': HTTP 502\n'],
    ['nothing answers', both, { LICENSE_SERVICE: 'http://127.0.0.1:9' }, 'No answer from http://127.0.0.1:9'],
    ['it is not set up', both, { LICENSE_TOKEN: '' }, 'PRODUCT_ID VERSION NOTES.md RELEASE.json'],
  ])('fails and says so when %s', async (_, release, env, said) => {
    const failed = await run('1.3.0', release, env);
    expect(failed.said).toContain(said);
    expect(failed.code).toBeGreaterThan(0);
  });
});
