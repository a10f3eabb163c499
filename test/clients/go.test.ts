import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { describeClient } from './conformance.ts';
import { go, goSettings } from './languages/go.ts';

const run = promisify(execFile);

describeClient(go);

(go.isInstalled() ? test : test.skip)('gofmt changes nothing in the Go client, and vet finds nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'go-vet-'));
  await go.prepare(folder);
  const client = join(folder, 'licenseclient', 'license_client.go');
  expect((await run('gofmt', ['-l', client, join(folder, 'main.go')])).stdout).toBe('');
  await run('go', ['vet', './...'], { cwd: folder, env: { ...process.env, ...goSettings } });
  await rm(folder, { recursive: true });
});
