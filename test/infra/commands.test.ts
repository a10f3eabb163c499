import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = join(import.meta.dirname, '..', '..');
const { scripts } = (await import('../../package.json', { with: { type: 'json' } })).default;

/** The scripts of package.json that are commands of ours, by name, with the file of each. */
const commands = Object.entries(scripts).flatMap(([name, line]) => {
  const file = /\bnode ((?:infra|test)\/\S+\.ts)$/.exec(line)?.[1];
  return file === undefined ? [] : [{ name, file }];
});

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { AWS_ENDPOINT_URL_DYNAMODB: _, ...inherited } = process.env;
  const options = { cwd: root, env: { ...inherited, NODE_OPTIONS: '', ...env }, encoding: 'utf8' as const };
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], options);
  return { status, stdout, stderr };
}

test('there are the commands to run, to operate, to show, to measure and to generate, and none beside them runs a file', () => {
  const names = ['bench', 'cost', 'demo', 'mutation', 'openapi', 'ops', 'start', 'test:rights', 'test:statuses', 'vectors'];
  expect(commands.map(({ name }) => name).sort()).toEqual(names);
  const running = Object.entries(scripts).filter(([, line]) => /\bnode\b/.test(line));
  expect(running.map(([name]) => name).sort()).toEqual(names);
});

describe.each(commands)('npm run $name', ({ name, file }) => {
  test.each(['--help', '-h'])('prints with %s how it is called', (flag) => {
    const { status, stdout, stderr } = run(file, [flag]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: npm (run )?${name}\\b`));
  });

  test('refuses an argument that it does not know in one line', () => {
    const { status, stdout, stderr } = run(file, ['nonsense']);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[A-Z][^\n]*nonsense[^\n]*--help[^\n]*\n$/);
  });
});

describe('npm run ops', () => {
  const ops = 'infra/commands/ops/ops.ts';

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
  ])('refuses %j', (args, message) => {
    expect(run(ops, args)).toEqual({ status: 2, stdout: '', stderr: `${message} --help tells how.\n` });
  });

  test('tells in a line each what its commands do', () => {
    const lines = run(ops, ['--help']).stdout.split('\n');
    const told = lines.flatMap((line) => /^ {2}([a-z-]+) .*[a-z]{3}/.exec(line)?.[1] ?? []);
    expect(told).toEqual([
      'smoke',
      'check',
      'reconcile',
      'secrets',
      'rekey',
      'dead-letters',
      'redrive',
      'empty',
      'export',
      'prepare-table',
      'resend-events',
    ]);
  });

  test('reports in one line that there is no stack to work on', () => {
    const { status, stderr } = run(ops, ['dead-letters'], { DATA_DIR: '/nowhere' });
    expect(status).toBe(1);
    expect(stderr).toBe('No local stack runs on /nowhere. Start one with npm start, or name a table of the cloud in TABLE_NAME.\n');
  });
});

test('npm run demo reports in one line that nothing answers', () => {
  const { status, stderr } = run('infra/commands/demo/demo.ts', [], { BASE_URL: 'http://127.0.0.1:1' });
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Nothing answers at http:\/\/127\.0\.0\.1:1\.[^\n]*\n$/);
});
