import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { processesNaming } from '../support/engines/processes.ts';
import { conformingFetch } from '../support/interface/conformance.ts';
import { failToStart, startStack, temporaryFolder } from '../support/scenes/stack.ts';
import { eventually } from '../support/scenes/stack-harness.ts';

const application = {
  display_name: 'Demo',
  contact_email: 'a@example.com',
  support_email: 'b@example.com',
  site_url: 'https://example.com',
};
const headersOf = (user: string) => ({ 'content-type': 'application/json', 'x-user-id': user });

jest.setTimeout(120_000);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

test('the local stack keeps what it acknowledged, over an orderly end and over a kill, and leaves no process behind', async () => {
  const start = (env = {}) => startStack({ DATA_DIR: folder.path, ...env });
  const secretsFile = `${folder.path}/secrets.json`;
  const apply = async (address: string, user: string) => {
    const init = { method: 'POST', headers: headersOf(user), body: JSON.stringify(application) };
    expect((await conformingFetch(`${address}/v1/sellers`, init)).status).toBe(201);
  };
  const isKept = async (address: string, user: string) =>
    (await conformingFetch(`${address}/v1/sellers/me`, { headers: headersOf(user) })).status === 200;

  const first = await start();
  await apply(first.address, 'user-1');
  const secrets = await readFile(secretsFile, 'utf8');
  expect(await first.stop('SIGTERM')).toBe(0);
  expect(await processesNaming(folder.path)).toEqual([]);

  const second = await start();
  expect(await isKept(second.address, 'user-1')).toBe(true);
  await apply(second.address, 'user-2');
  await second.stop('SIGKILL');

  const third = await start({ PORT: new URL(second.address).port });
  expect(await Promise.all(['user-1', 'user-2', 'user-3'].map((user) => isKept(third.address, user)))).toEqual([true, true, false]);
  expect(await readFile(secretsFile, 'utf8')).toBe(secrets);
  // Twice, as signals come through npm.
  third.process.kill('SIGINT');
  expect(await third.stop('SIGTERM')).toBe(0);
  await eventually('no process is left', 10, async () => ((await processesNaming(folder.path)).length === 0 ? true : undefined));
});

test('a start that fails ends with one line', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const { code, output } = await failToStart({ PORT: String(port) });
  expect({ code, output }).toEqual({ code: 1, output: `Port ${port} is taken; choose another with PORT.\n` });
  other.close();
});
