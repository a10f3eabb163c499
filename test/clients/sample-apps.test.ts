import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { languages } from '../../infra/documents/site/languages.ts';
import { openGuide, snippetsIn } from '../support/http/guide-code.ts';
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
let callsIn: (caption: string) => string;
let questionsIn: (caption: string) => string;
let placeholders: readonly (readonly [string, string])[];
const prepared = new Map<string, Promise<void>>();

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sample-apps-'));
  await mkdir(join(root, 'cargo'));
  await writeFile(join(root, 'cargo', 'config.toml'), cargoSettings);
  harness = await startStackHarness();
  const product = await offerProduct(harness, { activation_limit: 20, updates_days: 30 });
  placeholders = [
    ['prd_01KG9T3W6P9RA5Y8S4C7E1G2JK', product.id],
    ['LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N', await buy(product.slug)],
  ];
  guide = await (await fetch(`${harness.baseUrl}/docs`)).text();
  callsIn = await openGuide(`${harness.baseUrl}/docs`);
  questionsIn = await openGuide(`${harness.baseUrl}/docs/updates`);
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
  return new Map(snippetsIn(part).map(({ caption, code }) => [caption, filledIn(code)]));
}

const filledIn = (code: string) => placeholders.reduce((text, [shown, own]) => text.replaceAll(shown, own), code);

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

const isFile = (caption: string) => /^[\w/]+\.\w+$/.test(caption);

async function prepare(name: string): Promise<void> {
  const folder = folderOf(name);
  await mkdir(folder);
  await shell(name, folder, block(name, steps.fetch), 'set -e\n');
  for (const [caption, code] of blocksOf(name)) {
    // Debian has an older ring, which does as well.
    if (isFile(caption)) await writeFile(join(folder, 'photo-studio', caption), code.replace('ring = "0.17"', 'ring = "0.16"'));
  }
  if (name === 'Rust') {
    await mkdir(cargoTarget, { recursive: true });
    await symlink(cargoTarget, join(folder, 'photo-studio', 'target'));
  }
  await build(name);
}

async function build(name: string): Promise<void> {
  const code = blocksOf(name).get(steps.build);
  if (code !== undefined) await shell(name, join(folderOf(name), 'photo-studio'), code, 'set -e\n');
}

const start = (name: string, caption: string) => shell(name, join(folderOf(name), 'photo-studio'), block(name, caption));
const present = languages.map(({ name }) => name).filter(isInstalled);

const steps = {
  fetch: 'Fetch the client and the keys',
  build: 'Build',
  start: 'Start it without a key, with the key, and once more',
  says: 'What it says',
  startOffline: 'Turn the network off, and start it',
  saysOffline: 'What it says then',
};

/** Where the app of a language prints its status, and what an author writes for the builds that are not covered: in which file, where. */
const printed = /^.*status\.message\);?$/im;
const offers: Record<string, readonly [string, RegExp, string]> = {
  JavaScript: ['app.js', /^/, 'const offerCoveredVersion = console.log;\n'],
  TypeScript: ['app.ts', /^/, 'const offerCoveredVersion = console.log;\n'],
  Python: ['app.py', /^/, 'offer_covered_version = print\n'],
  Go: ['main.go', /$/, '\nfunc offerCoveredVersion(until *int64) { fmt.Println(*until) }\n'],
  'Java and Kotlin': ['App.java', /\}\s*$/, 'static void offerCoveredVersion(Long until) { System.out.println(until); }\n}\n'],
  Rust: ['src/main.rs', /^/, 'fn offer_covered_version(until: Option<i64>) { println!("{}", until.unwrap_or(0)) }\n'],
};
/** What the guide shows for it; for both forms of one language there is one. */
const questionFor = (name: string) =>
  /Script$/.test(name)
    ? questionsIn('JavaScript and TypeScript').replace(".js'; // .ts in TypeScript", name === 'TypeScript' ? ".ts';" : ".js';")
    : questionsIn(name);

describe('an author who follows the guide', () => {
  test('reads the address of this very service in it', () => {
    expect(guide).not.toMatch(/https?:\/\/[\w.-]*example\.com/);
    for (const { name } of languages) expect(block(name, steps.fetch)).toContain(harness.baseUrl);
  });

  test('has a step for each block of code', () => {
    const known: string[] = Object.values(steps);
    const captions = languages.flatMap(({ name }) => [...blocksOf(name).keys()]);
    expect(captions.filter((caption) => !isFile(caption) && !known.includes(caption))).toEqual([]);
  });

  test('makes a test key and calls as it is shown, and gets replies of the form that is shown', async () => {
    const body = { name: 'Tests', scopes: ['test-keys:write'], expires_in_days: 1 };
    const { token } = await harness.call('POST', '/v1/api-tokens', { as: 'seller', body });
    for (const [request, reply] of [
      ['Request', 'Reply'],
      ['Make a test key', 'Its reply, with status 201'],
    ] as const) {
      const said = await shell('curl', root, `TOKEN=${token}\n${filledIn(callsIn(request))}`, 'set -e\n');
      expect(Object.keys(JSON.parse(said))).toEqual(expect.arrayContaining(Object.keys(JSON.parse(callsIn(reply)))));
    }
  });

  test.each(present)('has an activated app in %s', async (name) => {
    await prepared.get(name);
    expect(await start(name, steps.start)).toBe(block(name, steps.says));
  });

  test.each(present)('asks in %s whether its build is covered', async (name) => {
    await prepared.get(name);
    const [file = '', place = '', offer = ''] = offers[name] ?? [];
    const path = join(folderOf(name), 'photo-studio', file);
    const app = await readFile(path, 'utf8');
    const startWith = async (question: string) => {
      await writeFile(
        path,
        app.replace(place, () => offer).replace(printed, (line) => `${line}\n${question}`),
      );
      await build(name);
      return (await start(name, steps.startOffline)).split('\n');
    };
    const [valid] = block(name, steps.says).split('\n').slice(-1);
    const later = questionFor(name).replace(/1_?769_?846_?400/, '4102444800');
    expect(await startWith(later)).toEqual([valid, expect.stringMatching(/^\d{10}$/)]);
    expect(await startWith(questionFor(name))).toEqual([valid]);
  });

  test('and the apps of all languages run on while the service is gone', async () => {
    await harness.stop();
    const said = await Promise.all(present.map(async (name) => [name, await start(name, steps.startOffline)]));
    expect(said).toEqual(present.map((name) => [name, block(name, steps.saysOffline)]));
  });
});
