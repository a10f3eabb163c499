import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createCatalog } from '../../../shared/updates/catalog/catalog.ts';
import { writeAppcast } from '../../../shared/updates/feeds/appcast.ts';
import { createLinks } from '../../../shared/updates/feeds/feed-addresses.ts';
import { artifact, published } from '../../support/samples/releases/published.ts';
import { startUpdateScene, type UpdateScene, windowsFull } from '../../support/scenes/releases/update-scene.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';

const run = (command: string, args: readonly string[], input = '') => {
  const { status, stdout, stderr } = spawnSync(command, args, { input, encoding: 'utf8', maxBuffer: 1e8 });
  return { status, stdout, stderr };
};
const has = (command: string, argument: string) => spawnSync(command, [argument]).error === undefined;
const hasParser = has('xmllint', '--version');
const hasMinisign = has('minisign', '-v');

(hasParser ? describe : describe.skip)(`libxml2${hasParser ? '' : ', which is not installed'}`, () => {
  const target = { platform: 'windows', arch: 'x64' } as const;
  const links = createLinks({ publicBaseUrl: 'https://a.example', productId: 'prd_1', slug: 'lumen', proof: '-' });
  const writeFor = (notes: string) => {
    const release = published('1.0.0-rc.1', { notes, critical: true, artifacts: [artifact({ build: '1.0.0.7' })] });
    const offered = [{ release, fullPackages: release.artifacts }];
    return writeAppcast({ offered }, { productName: `Lumen ${notes.slice(0, 100)}`, links, catalog: createCatalog([release]), target });
  };
  const read = (xml: string, path: string) => run('xmllint', ['--nonet', '--xpath', `string(${path})`, '-'], xml).stdout.trimEnd();

  test.each([
    ['what ends a section', ']]>'],
    ['the start of a section', '<![CDATA['],
    ['ampersands', '&'],
    ['references', '&#0;&lt;&bogus;'],
    ['markup', '<script>'],
    ['declarations', '<!DOCTYPE x [<!ENTITY a "b">]>'],
    ['control characters', '\u0000\u0001\u000b\u001f\u007f\u0085'],
    ['bidi controls', '\u202e\u2066\u200f'],
    ['what is no character', '\ufffe\uffff\ud800'],
    ['Japanese', '新しい版です。'],
    ['emoji', '🎉'],
    ['lists that nest', '- '],
    ['quotes that nest', '> '],
    ['brackets', '[]('],
    ['code', '`'],
    ['emphasis', '*_'],
  ])('reads an appcast whose notes are 20,000 characters of %s', (_name, piece) => {
    const xml = writeFor(piece.repeat(20_000 / piece.length));
    expect(run('xmllint', ['--nonet', '--huge', '--noout', '-'], xml)).toEqual({ status: 0, stdout: '', stderr: '' });
    // A comparator of versions ends at a dash: it is given the build alone.
    expect(read(xml, '//item/*[name()="sparkle:version"]')).toBe('1.0.0.7');
    expect(read(xml, '//item/enclosure/@url')).toContain('/files/1.0.0-rc.1/windows-x64/');
  });

  test('reads in the notes what was written', () => {
    expect(read(writeFor('a ]]> b & c < 新版 🎉'), '//item/description')).toBe('<p>a ]]&gt; b &amp; c &lt; 新版 🎉</p>');
  });
});

describe('signatures of a seller', () => {
  let scene: UpdateScene;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let base: string;
  beforeAll(async () => {
    [scene, folder] = await Promise.all([startUpdateScene(), temporaryFolder()]);
    base = `${scene.base}/${scene.ticketOf(await scene.license())}`;
  });
  afterAll(() => Promise.all([scene.stop(), folder.remove()]));

  const bytes = randomBytes(5000);
  const publish = async (version: string, filename: string, signature: Record<string, string>) =>
    scene.published(version, { artifacts: [{ ...windowsFull(version), ...signature, file_id: await scene.cleanFile(filename, bytes) }] });
  const download = async (address: string) => {
    const { status, headers } = await scene.call('GET', new URL(address).pathname);
    expect(status).toBe(302);
    return Buffer.from(await (await fetch(headers['location'] ?? '')).arrayBuffer());
  };

  test('with Ed25519 hold for the bytes that an appcast leads to', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    await publish('1.0.0', 'Lumen-1.0.0.nupkg', { ed25519_signature: sign(null, bytes, privateKey).toString('base64') });
    const { text } = await scene.call('GET', `${base}/appcast/stable/windows/x64`);
    const [, url = '', signature = ''] = / url="([^"]*)".* sparkle:edSignature="([^"]*)"/.exec(text) ?? [];
    expect(verify(null, await download(url), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
  });

  (hasMinisign ? test : test.skip)(
    `with minisign${hasMinisign ? '' : ', which is not installed,'} hold for the bytes that Tauri is led to, with a name of 86 characters in their comment`,
    async () => {
      const name = `${'L'.repeat(80)}.nupkg`;
      const [file, key, publicKey] = [name, 'key', 'key.pub'].map((each) => join(folder.path, each)) as [string, string, string];
      writeFileSync(file, bytes);
      expect(run('minisign', ['-G', '-W', '-p', publicKey, '-s', key])).toMatchObject({ status: 0 });
      const comment = `timestamp:${Math.floor(Date.now() / 1000)}\tfile:${name}`;
      const own = 'signature from tauri secret key';
      expect(run('minisign', ['-S', '-W', '-s', key, '-m', file, '-c', own, '-t', comment])).toMatchObject({ status: 0 });
      const minisign_signature = readFileSync(`${file}.minisig`).toString('base64');
      await publish('2.0.0', name, { minisign_signature });
      const { json } = await scene.call('GET', `${base}/tauri/stable/windows/x86_64/1.0.0`);
      expect(json.signature).toBe(minisign_signature);
      writeFileSync(join(folder.path, 'read'), await download(json.url));
      writeFileSync(join(folder.path, 'read.minisig'), Buffer.from(json.signature, 'base64'));
      expect(run('minisign', ['-V', '-p', publicKey, '-m', join(folder.path, 'read')])).toMatchObject({ status: 0 });
    },
  );
});
