import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { UsageError } from '../../infra/commands/command-line.ts';
import { callCommand, callOps } from '../support/call-command.ts';

const root = join(import.meta.dirname, '..', '..');
const { scripts } = (await import('../../package.json', { with: { type: 'json' } })).default;

/** The scripts of package.json that are commands of ours, by name, with the file of each. */
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /\bnode ((?:infra|test)\/\S+\.ts)$/.exec(line)?.[1];
  return file === undefined ? [] : [{ name, file }];
});

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: root, env: { ...process.env, NODE_OPTIONS: '', ...env }, encoding: 'utf8' as const };
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], options);
  return { status, stdout, stderr };
}

test('whatever runs a file is a command, but that of the tests, which runs what it is told', () => {
  const running = Object.entries(scripts).flatMap(([name, line]) => (/\bnode\b/.test(line) ? [name] : []));
  expect(running.sort()).toEqual([...commands.map(({ name }) => name), 'test'].sort());
  expect(commands.length).toBeGreaterThan(10);
});

describe('a command', () => {
  const call = (args: string[], failure?: Error) =>
    callCommand(
      'Usage: npm run this',
      async () => {
        if (failure) throw failure;
        console.log('done');
      },
      args,
    );

  test.each(['--help', '-h'])('prints with %s how it is called, and does nothing', async (flag) => {
    expect(await call(['first', flag])).toMatchObject({ status: 0, stdout: 'Usage: npm run this\n', stderr: '' });
  });

  test('tells in one line that it was called wrongly, or failed', async () => {
    expect(await call([])).toMatchObject({ status: 0, stdout: 'done\n', stderr: '' });
    expect(await call([], new UsageError('Say what.'))).toMatchObject({ status: 2, stderr: 'Say what. --help tells how.\n' });
    expect(await call([], new Error('It broke.'))).toMatchObject({ status: 1, stdout: '', stderr: 'It broke.\n' });
  });

  test.each(commands)('npm run $name is one: it refuses an argument that it does not know in one line', ({ name, file }) => {
    const { status, stdout, stderr } = run(file, ['nonsense']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[A-Z][^\n]*nonsense[^\n]*--help[^\n]*\n$/);
    const source = readFileSync(join(root, name === 'ops' ? 'infra/commands/ops/commands.ts' : file), 'utf8');
    expect(source).toMatch(new RegExp(`usage = \`Usage: npm (run )?${name}\\b`));
  });
});

describe('npm run ops', () => {
  test.each([
    [[], 'Name a command.'],
    [['redrive'], 'Name the jobs to redrive, or --all.'],
    [['redrive', '--all', 'send-mail:1/2'], '--all needs no job besides.'],
    [['empty'], 'Name the queue to empty: Webhook, Mail, Hash, Scan, Import, Event, Delivery.'],
    [['empty', 'mail'], 'Name the queue to empty: Webhook, Mail, Hash, Scan, Import, Event, Delivery.'],
    [['empty', 'Mail', 'now'], 'empty takes --yes alone, and got now.'],
    [['rekey', 'now'], 'rekey takes no argument, and got now.'],
    [['check', '--all'], 'check takes --segments and --rate, and got --all.'],
    [['reconcile', '--all'], 'reconcile takes --repair and --hide-before, and got --all.'],
    [['reconcile', '--hide-before', 'soon'], '--hide-before is a time at least an hour ago, such as 2026-01-31T09:00:00Z.'],
    [['check', '--rate', '0'], '--rate is a number from 1 to 1000000, and is 0.'],
    [['dead-letters', '--all'], 'dead-letters takes no argument, and got --all.'],
    [['prepare-table'], 'Name the restored table.'],
    [['prepare-table', 'restored', 'again'], 'Name the restored table.'],
    [['resend-events'], '--since is a time, such as 2026-01-31T09:00:00Z.'],
    [['resend-events', '--since', 'yesterday'], '--since is a time, such as 2026-01-31T09:00:00Z.'],
    [['resend-events', '--all'], 'resend-events takes --since, and got --all.'],
    [['smoke'], 'smoke takes the address of a deployment, such as https://licenses.example.com.'],
    [['smoke', 'licenses.example.com'], 'smoke takes the address of a deployment, such as https://licenses.example.com.'],
    [['secrets', 'rotate'], 'secrets takes set, replace, add, promote or retire, and got rotate.'],
    [['secrets', 'promote', 'PAYMENT_SECRET_KEY'], 'PAYMENT_SECRET_KEY has one value: replace it.'],
  ])('refuses %j', async (args, message) => {
    expect(await callOps(args)).toMatchObject({ status: 2, stdout: '', stderr: `${message} --help tells how.\n` });
  });

  test('tells in a line each what its commands do', async () => {
    const { lines } = await callOps(['--help']);
    const told = lines.flatMap((line) => /^ {2}([a-z-]+) .*[a-z]{3}/.exec(line)?.[1] ?? []);
    const names = 'smoke check reconcile secrets rekey dead-letters redrive empty export prepare-table resend-events';
    expect(told).toEqual(names.split(' '));
  });

  test('reports in one line that there is no stack to work on', async () => {
    const { status, stderr } = await callOps(['dead-letters'], { DATA_DIR: '/nowhere', TABLE_NAME: undefined });
    expect(status).toBe(1);
    expect(stderr).toBe('No local stack runs on /nowhere. Start one with npm start, or name a table of the cloud in TABLE_NAME.\n');
  });
});

test('npm run demo reports in one line that nothing answers', () => {
  const { status, stderr } = run('infra/commands/demo/demo.ts', [], { BASE_URL: 'http://127.0.0.1:1' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:1\.[^\n]*\n$/);
});
