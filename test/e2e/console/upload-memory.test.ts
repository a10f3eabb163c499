import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { watchMemory } from '../../support/engines/process-memory.ts';
import { describeInBrowser, openWindow, page } from '../../support/http/in-browser.ts';
import { temporaryFolder } from '../../support/scenes/stack.ts';
import { eventually } from '../../support/scenes/stack-harness.ts';

const gib = 1024 ** 3;
const most = 300 * 1024 ** 2;
const room = join(import.meta.dirname, '..', '..', '..', 'functions', 'console', 'browser', 'uploads');
const origin = 'https://console.example';

/** The policy of the console, as far as the worker meets it. */
const policies = {
  page: "default-src 'none'; script-src 'self'; worker-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types console-worker",
  worker: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
};

/** What the page does with a file that was chosen; the hashes end up in `window.outcome`. */
const pageScript = `
import { startHashing } from './hashing.ts';
const files = document.querySelector('input');
files.addEventListener('change', () => {
  window.job = startHashing('/worker.js', files.files[0], (hashed) => { window.hashed = hashed; });
  window.job.done.then((hashes) => { window.outcome = hashes; }, (error) => { window.outcome = { code: error.code }; });
});`;
const pageMarkup =
  '<!doctype html><title>Hash</title><label>File <input type="file" name="file"></label><script src="/page.js" defer></script>';

const bundle = async (input: { entryPoints: string[] } | { stdin: { contents: string; resolveDir: string; loader: 'ts' } }) => {
  const { outputFiles } = await build({ ...input, bundle: true, write: false, minify: true, format: 'iife', tsconfigRaw: {} });
  return outputFiles[0]?.text ?? '';
};

describeInBrowser('a file of 2 GiB in a real browser', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let files: Record<string, [type: string, policy: string, text: string]>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    const script = await bundle({ stdin: { contents: pageScript, resolveDir: room, loader: 'ts' } });
    const worker = await bundle({ entryPoints: [join(room, 'hash-worker.ts')] });
    files = {
      '/': ['text/html', policies.page, pageMarkup],
      '/page.js': ['text/javascript', policies.page, script],
      '/worker.js': ['text/javascript', policies.worker, worker],
    };
  });
  afterAll(() => folder?.remove());

  /** Chooses a sparse file with something at both ends, once `ready`; resolves to its path when it is being hashed. */
  async function hash(sizeBytes: number, ready: () => Promise<unknown> = async () => undefined): Promise<string> {
    const path = join(folder.path, `${sizeBytes}.bin`);
    const file = await open(path, 'w');
    await file.truncate(sizeBytes);
    await file.write(Buffer.from('begin'), 0, 5, 0);
    await file.write(Buffer.from('end'), 0, 3, sizeBytes - 3);
    await file.close();
    await openWindow();
    await page.route(`${origin}/**`, (route) => {
      const [contentType, policy, body] = files[new URL(route.request().url()).pathname] ?? ['text/plain', '', ''];
      return route.fulfill({ contentType, body, headers: { 'Content-Security-Policy': policy } });
    });
    await page.goto(`${origin}/`);
    await ready();
    await page.locator('input').setInputFiles(path);
    await until('window.hashed > 0');
    return path;
  }

  /** By the debugger, since the page's own policy evaluates nothing. */
  const until = (met: string) => eventually(met, 200, async () => (await page.evaluate<boolean>(`Boolean(${met})`)) || undefined);

  test('is hashed, whole and in parts, while no process of it grows by 300 MB', async () => {
    let memories: ReturnType<typeof watchMemory>[] = [];
    const path = await hash(2 * gib, async () => {
      memories = browserProcesses().map((pid) => watchMemory(pid));
    });
    // It comes to rest while it is paused.
    await page.evaluate('job.pause()');
    const read = () => page.evaluate<number>('hashed');
    await eventually('it rests', 200, async () => (await read()) === (await page.waitForTimeout(200).then(read)) || undefined);
    expect(await page.evaluate('window.outcome')).toBeUndefined();
    await page.evaluate('job.resume()');
    await until('window.outcome');
    const outcome: { whole: string; parts: string[] } = await page.evaluate('outcome');
    const grown = memories.map((memory) => memory.growth());
    expect([outcome.whole, outcome.parts.length]).toEqual([execFileSync('sha256sum', [path], { encoding: 'utf8' }).slice(0, 64), 256]);
    const part = Buffer.alloc(8 * 1024 ** 2);
    expect(outcome.parts[1]).toBe(createHash('sha256').update(part).digest('hex'));
    part.write('begin');
    expect(outcome.parts[0]).toBe(createHash('sha256').update(part).digest('hex'));
    expect(grown.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(most);
  }, 300_000);

  test('that changes while it is read is refused with a code of its own', async () => {
    const path = await hash(gib);
    const file = await open(path, 'r+');
    await file.write(Buffer.from('other'), 0, 5, 0);
    await file.close();
    await until('window.outcome');
    expect(await page.evaluate('outcome')).toEqual({ code: 'file_changed' });
  });
});

/** The browser, which is the only child of this process that was started for it, and all that descends from it. */
function browserProcesses(): number[] {
  const running = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' });
  const found = new Set<number>();
  for (let size = -1; size < found.size; ) {
    size = found.size;
    for (const [, pid, parent, command = ''] of running.matchAll(/^ *(\d+) +(\d+) (.*)$/gm))
      if (found.has(Number(parent)) || (Number(parent) === process.pid && command.includes('chrom'))) found.add(Number(pid));
  }
  return [...found];
}
