import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { processesNaming } from '../support/engines/processes.ts';
import { conformingFetch } from '../support/interface/conformance.ts';
import { failToStart, startStack, temporaryFolder } from '../support/scenes/stack.ts';

jest.setTimeout(120_000);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

test('the local stack keeps what it acknowledged over an orderly end, and leaves no process behind', async () => {
  const start = () => startStack({ DATA_DIR: folder.path });
  const secretsFile = `${folder.path}/secrets.json`;
  const headers = { 'content-type': 'application/json', 'x-user-id': 'user-1' };
  const application = {
    display_name: 'Demo',
    contact_email: 'a@example.com',
    support_email: 'b@example.com',
    site_url: 'https://example.com',
  };

  const first = await start();
  const init = { method: 'POST', headers, body: JSON.stringify(application) };
  expect((await conformingFetch(`${first.address}/v1/sellers`, init)).status).toBe(201);
  const secrets = await readFile(secretsFile, 'utf8');
  // Twice, as signals come through npm.
  first.process.kill('SIGINT');
  expect(await first.stop('SIGTERM')).toBe(0);
  expect(await processesNaming(folder.path)).toEqual([]);

  const second = await start();
  expect((await conformingFetch(`${second.address}/v1/sellers/me`, { headers })).status).toBe(200);
  expect(await readFile(secretsFile, 'utf8')).toBe(secrets);
  expect(await second.stop('SIGTERM')).toBe(0);
});

test('a start that fails ends with one line', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const { code, output } = await failToStart({ PORT: String(port) });
  expect({ code, output }).toEqual({ code: 1, output: `Port ${port} is taken; choose another with PORT.\n` });
  other.close();
});
