import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { watchMemory } from '../../support/engines/process-memory.ts';
import { hasBrowser, launchBrowser, openPage } from '../../support/http/browser.ts';

const gib = 1024 ** 3;
const most = 300 * 1024 ** 2;
const room = join(import.meta.dirname, '..', '..', '..', 'functions', 'console', 'browser', 'uploads');

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

const bundle = async (input: { entryPoints: string[] } | { stdin: { contents: string; resolveDir: string; loader: 'ts' } }) => {
  const { outputFiles } = await build({ ...input, bundle: true, write: false, minify: true, format: 'iife', tsconfigRaw: {} });
  return outputFiles[0]?.text ?? '';
};

(hasBrowser ? describe : describe.skip)('a file of 2 GiB in a real browser', () => {
  let browser: Browser;
  let server: Server;
  let folder: string;
  let baseUrl: string;
  beforeAll(async () => {
    const script = await bundle({ stdin: { contents: pageScript, resolveDir: room, loader: 'ts' } });
    const worker = await bundle({ entryPoints: [join(room, 'hash-worker.ts')] });
    const page =
      '<!doctype html><title>Hash</title><label>File <input type="file" name="file"></label><script src="/page.js" defer></script>';
    server = createServer(({ url }, response) => {
      const [type, policy, text] =
        url === '/worker.js'
          ? ['text/javascript', policies.worker, worker]
          : url === '/page.js'
            ? ['text/javascript', policies.page, script]
            : ['text/html', policies.page, page];
      response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(text);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    folder = await mkdtemp(join(tmpdir(), 'upload-memory-'));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A sparse file with something at both ends. */
  async function makeFile(name: string, sizeBytes: number): Promise<string> {
    const path = join(folder, name);
    const file = await open(path, 'w');
    await file.truncate(sizeBytes);
    await file.write(Buffer.from('begin'), 0, 5, 0);
    await file.write(Buffer.from('end'), 0, 3, sizeBytes - 3);
    await file.close();
    return path;
  }

  test('is hashed, whole and in parts, while no process of it grows by 300 MB', async () => {
    const path = await makeFile('large.bin', 2 * gib);
    const { page, complaints } = await openPage(browser);
    await page.goto(baseUrl);
    const memories = (await processesOf(browserPids())).map((pid) => watchMemory(pid));
    await page.locator('input').setInputFiles(path);
    await until(page, 'window.hashed > 0');
    // It stands still while it is paused.
    await page.evaluate('job.pause()');
    await page.waitForTimeout(500);
    const before = await page.evaluate('hashed');
    await page.waitForTimeout(500);
    expect(await page.evaluate('hashed')).toBe(before);
    await page.evaluate('job.resume()');
    await until(page, 'window.outcome');
    const outcome: { whole: string; parts: string[] } = await page.evaluate('outcome');
    const grown = memories.map((memory) => memory.growth());
    expect(outcome.whole).toBe(execFileSync('sha256sum', [path], { encoding: 'utf8' }).slice(0, 64));
    expect(outcome.parts).toHaveLength(256);
    const part = Buffer.alloc(8 * 1024 ** 2);
    expect(outcome.parts[1]).toBe(createHash('sha256').update(part).digest('hex'));
    part.write('begin');
    expect(outcome.parts[0]).toBe(createHash('sha256').update(part).digest('hex'));
    console.log(`Grew by ${grown.map((bytes) => Math.round(bytes / 1e6)).join(', ')} MB.`);
    expect(grown.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(most);
    expect(complaints).toEqual([]);
  }, 240_000);

  test('that changes while it is read is refused with a code of its own', async () => {
    const path = await makeFile('changing.bin', gib);
    const { page } = await openPage(browser);
    await page.goto(baseUrl);
    await page.locator('input').setInputFiles(path);
    await until(page, 'window.hashed > 0');
    const file = await open(path, 'r+');
    await file.write(Buffer.from('other'), 0, 5, 0);
    await file.close();
    await until(page, 'window.outcome');
    expect(await page.evaluate('outcome')).toEqual({ code: 'file_changed' });
  }, 90_000);

  /** The browser's own process: the only child of this one that was started for it. */
  const browserPids = () =>
    execFileSync('pgrep', ['-P', String(process.pid), '-f', 'chrom'], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
});

/** By the debugger, since the page's own policy evaluates nothing. */
async function until(page: Page, met: string): Promise<void> {
  while (!(await page.evaluate(`Boolean(${met})`))) await page.waitForTimeout(100);
}

/** These processes and all that descend from them. */
async function processesOf(pids: number[]): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    parents.set(Number(name), Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]));
  }
  const found = new Set(pids);
  for (let size = 0; size < found.size; ) {
    size = found.size;
    for (const [pid, parent] of parents) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}
