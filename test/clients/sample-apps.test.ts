import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { languages } from '../../infra/documents/site/languages.ts';
import { offerProduct, type StackHarness, startStackHarness } from '../support/scenes/stack-harness.ts';
import { languages as toolchains } from './languages/every-language.ts';
import { cargoSettings, cargoTarget } from './languages/rust.ts';

// What the guide shows is done as it stands there, by a shell in an empty folder.
jest.setTimeout(360_000);

/** The guide has one part for Java and Kotlin, and one for JavaScript. */
const isInstalled = (part: string) => toolchains.find(({ name }) => new RegExp(`^${name}\\b`).test(part))?.isInstalled() ?? true;

let root: string;
let harness: StackHarness;
let guide: string;
let placeholders: readonly (readonly [string, string])[];
const prepared = new Map<string, Promise<void>>();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sample-apps-'));
  await mkdir(join(root, 'cargo'));
  await writeFile(join(root, 'cargo', 'config.toml'), cargoSettings);
  harness = await startStackHarness();
  const product = await offerProduct(harness, { activation_limit: 20 });
  placeholders = [
    ['prd_01KG9T3W6P9RA5Y8S4C7E1G2JK', product.id],
    ['LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N', await buy(product.slug)],
  ];
  guide = await (await fetch(`${harness.baseUrl}/docs`)).text();
  for (const { name } of languages) {
    if (!isInstalled(name)) continue;
    const preparing = prepare(name);
    preparing.catch(() => undefined);
    prepared.set(name, preparing);
  }
});
afterAll(async () => {
  await Promise.allSettled(prepared.values());
  await harness?.stop();
  await rm(root, { recursive: true, force: true });
});

async function buy(slug: string): Promise<string> {
  const { checkout_url } = await harness.call('POST', `/v1/public/products/${slug}/checkout`);
  await harness.provider(`/test/checkout/${new URL(checkout_url).pathname.split('/').at(-1)}/pay`, { email: 'author@example.com' });
  const { text } = await harness.mailTo('author@example.com');
  const token = /#token=(\S+)/.exec(text)?.[1];
  return (await harness.call('POST', '/v1/purchases/complete', { body: { token } })).license.license_key;
}

/** The blocks of code that the guide shows for a language, by their captions, as an author would copy and fill them in. */
function blocksOf(name: string): Map<string, string> {
  const part = guide.split(`<summary>${name}</summary>`)[1]?.split('<details')[0] ?? '';
  const blocks = [...part.matchAll(/<figcaption>(.*?)<\/figcaption><pre tabindex="0"><code>(.*?)<\/code>/gs)];
  return new Map(
    blocks.map(([, caption = '', code = '']) => [
      caption,
      placeholders.reduce((text, [shown, own]) => text.replaceAll(shown, own), plain(code)),
    ]),
  );
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const plain = (markup: string) => markup.replaceAll(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity]!);

const folderOf = (name: string) => join(root, name.replaceAll(' ', '-'));
const block = (name: string, caption: string) => {
  const code = blocksOf(name).get(caption);
  if (code === undefined) throw new Error(`The guide has no “${caption}” for ${name}.`);
  return code;
};

/** What the commands print. The app's own exit code is part of what it says, so it ends nothing here. */
function shell(name: string, folder: string, commands: string, options = ''): Promise<string> {
  const env = {
    // Debian's toolchains, whatever else there is.
    PATH: `${dirname(process.execPath)}:/usr/bin:${process.env['PATH']}`,
    HOME: process.env['HOME'],
    NODE_NO_WARNINGS: '1',
    XDG_STATE_HOME: join(folderOf(name), 'state'),
    CARGO_HOME: join(root, 'cargo'),
    RUSTC: '/usr/bin/rustc',
    // As the driver's crates are built, so that these need not be.
    CARGO_PROFILE_DEV_DEBUG: 'false',
  };
  return new Promise((resolve, reject) => {
    execFile('sh', ['-c', options + commands], { cwd: folder, env, timeout: 340_000 }, (error, stdout, stderr) => {
      if (options !== '' && error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout.trimEnd());
    });
  });
}

async function prepare(name: string): Promise<void> {
  const folder = folderOf(name);
  await mkdir(folder);
  await shell(name, folder, block(name, 'Fetch the client and the keys'), 'set -e\n');
  for (const [caption, code] of blocksOf(name)) {
    // Debian has an older ring, which does as well.
    if (/^[\w/]+\.\w+$/.test(caption))
      await writeFile(join(folder, 'photo-studio', caption), code.replace('ring = "0.17"', 'ring = "0.16"'));
  }
  if (name === 'Rust') {
    await mkdir(cargoTarget, { recursive: true });
    await symlink(cargoTarget, join(folder, 'photo-studio', 'target'));
  }
  const build = blocksOf(name).get('Build');
  if (build !== undefined) await shell(name, join(folder, 'photo-studio'), build, 'set -e\n');
}

const start = (name: string, caption: string) => shell(name, join(folderOf(name), 'photo-studio'), block(name, caption));
const present = languages.map(({ name }) => name).filter(isInstalled);

describe('an author who follows the guide', () => {
  test('reads the address of this very service in it', () => {
    expect(guide).not.toMatch(/https?:\/\/[\w.-]*example\.com/);
    for (const { name } of languages) expect(block(name, 'Fetch the client and the keys')).toContain(harness.baseUrl);
  });

  test.each(present)('has an activated app in %s', async (name) => {
    await prepared.get(name);
    expect(await start(name, 'Start it without a key, with the key, and once more')).toBe(block(name, 'What it says'));
  });

  test('and the apps of all languages run on while the service is gone', async () => {
    await harness.stop();
    const said = await Promise.all(present.map(async (name) => [name, await start(name, 'Turn the network off, and start it')]));
    expect(said).toEqual(present.map((name) => [name, block(name, 'What it says then')]));
  });
});
