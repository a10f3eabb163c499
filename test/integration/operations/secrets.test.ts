import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newEntry, secretNames } from '../../../infra/commands/ops/secrets/secret-values.ts';
import { findSecretStore } from '../../../infra/commands/ops/secrets/stage-secrets.ts';
import { readKeptSecrets } from '../../../infra/local/local-settings.ts';
import { writeStackFile } from '../../../infra/local/stack-file.ts';
import { Keyring } from '../../../shared/crypto/keyring.ts';
import { createDynamoClient } from '../../../shared/db/dynamo/sdk-dynamo.ts';
import { licensePointerKey, listKey } from '../../../shared/db/keys.ts';
import { newId } from '../../../shared/ids.ts';
import { parseLeaseKeys } from '../../../shared/leases/lease-keys.ts';
import { startGuardedEngines } from '../../support/access/changed-app.ts';
import { callOps } from '../../support/call-command.ts';
import { newFolder } from '../../support/new-folder.ts';
import { keyringText } from '../../support/samples/licenses.ts';

jest.setTimeout(180_000);
const root = join(import.meta.dirname, '..', '..', '..');

interface Outcome {
  code: number | string;
  lines: string[];
  error: string;
}

/** A stage whose secrets have these values, as operators meet it. */
async function startStage(values: Record<string, string>) {
  const data = newFolder();
  const engines = await startGuardedEngines(undefined, { DATA_DIR: data, ...values });
  const { dynamodbEndpoint, endpoints } = engines.engines;
  const secretsEndpoint = endpoints.AWS_ENDPOINT_URL_SECRETS_MANAGER;
  await writeStackFile(data, { tableName: engines.tableName, dynamodbEndpoint, secretsEndpoint, region: 'us-east-1' });
  const { settingOf } = engines.engines;

  async function run(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const place = { DATA_DIR: data, STAGE: '', SECRETS_SECONDS: '', ...env };
    const { status, stdout, stderr, lines } = await callOps(['secrets', ...args], place);
    for (const name of secretNames) {
      const secrets = settingOf(name)
        .split(',')
        .flatMap((entry) => [entry, entry.replace(/^\w+:/, '')]);
      for (const secret of secrets.filter((part) => part.length > 3)) expect(stdout + stderr).not.toContain(secret);
    }
    return { code: status, lines, error: stderr.trim() };
  }

  return {
    data,
    engines,
    run,
    settingOf,
    /** A move, as soon as every function knows the last. */
    async move(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
      const brief = { SECRETS_SECONDS: '1', ...env };
      const outcome = await run(args, brief);
      const [, until] = /wait until (\S+), when every function knows that\.$/.exec(outcome.error) ?? [];
      if (until === undefined) return outcome;
      jest.setSystemTime(Date.parse(until));
      return run(args, brief);
    },
    async stop() {
      await engines.stop();
    },
  };
}
type Stage = Awaited<ReturnType<typeof startStage>>;

/** Only the date is the tests': nobody waits until every function knows a change. */
beforeAll(() => {
  jest.useFakeTimers({
    doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout', 'clearInterval', 'clearTimeout'],
  });
});

const entries = (list: string) => list.split(',');
const done = { code: 0, error: '' };

describe('secrets that nobody has set', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage(Object.fromEntries(secretNames.map((name) => [name, ''])));
  });
  afterAll(() => stage.stop());
  const given = {
    PAYMENT_SECRET_KEY: 'sk_test_given',
    PAYMENT_WEBHOOK_SECRET: 'whsec_given_platform',
    PAYMENT_CONNECT_WEBHOOK_SECRET: 'whsec_given_connect',
  };

  test('are told, and fail the command but for those that the service works without', async () => {
    const { code, lines } = await stage.run([]);
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(':')[0])).toEqual(secretNames);
    expect(lines.filter((line) => !line.endsWith(': not set'))).toEqual([
      'ORIGIN_SECRET: nobody has set it, and the service works without',
      'CALLER_HASH_KEY: nobody has set it, and the service works without',
    ]);
  });

  test('cannot be rotated', async () => {
    for (const move of ['add', 'promote', 'retire']) {
      expect(await stage.run([move, 'TOKEN_KEYS'])).toMatchObject({ code: 1, error: 'TOKEN_KEYS is not set; set it first.' });
    }
  });

  test('are set: ours are made, the provider’s are taken from the environment, and what is malformed or missing is named and not put', async () => {
    const { PAYMENT_CONNECT_WEBHOOK_SECRET: _, ...some } = given;
    const first = await stage.run(['set'], { ...some, PAYMENT_SECRET_KEY: 'sk_live_nobody_should_see' });
    expect(first.code).toBe(1);
    expect(first.error.split('\n')).toEqual([
      'PAYMENT_SECRET_KEY: a function would refuse this value, so it was not set.',
      'PAYMENT_CONNECT_WEBHOOK_SECRET is a value of the payment provider: give it in the environment, or call this in a terminal.',
    ]);
    expect(first.lines.join()).not.toContain('sk_live');
    expect(stage.settingOf('PAYMENT_SECRET_KEY')).toBe('');
    for (const name of ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'TOKEN_KEYS']) {
      expect(Keyring.parse(stage.settingOf(name)).all.map(({ version }) => version)).toEqual(['1']);
    }
    expect(parseLeaseKeys(stage.settingOf('LEASE_KEYS'))?.published).toHaveLength(2);
    expect(stage.settingOf('ORIGIN_SECRET')).toMatch(/^[A-Za-z0-9]{64}$/);

    const before = secretNames.map(stage.settingOf);
    const second = await stage.run(['set'], given);
    expect(second).toMatchObject(done);
    expect(second.lines.filter((line) => !line.endsWith(': set before'))).toEqual([
      expect.stringMatching(/^PAYMENT_SECRET_KEY: set \(version \S+\)$/),
      expect.stringMatching(/^PAYMENT_CONNECT_WEBHOOK_SECRET: set; entry 1 is in use \(version \S+\)$/),
    ]);
    expect(secretNames.map(stage.settingOf)).toEqual(
      before.map((value, index) => value || given[secretNames[index] as keyof typeof given]),
    );
    expect(await stage.run([])).toMatchObject(done);
    expect((await stage.run(['set'])).lines).toEqual(secretNames.map((name) => `${name}: set before`));
  });
});

describe('a secret that is set', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({
      ORIGIN_SECRET: 'a1'.repeat(8),
      TOKEN_KEYS: 'not a keyring',
      PAYMENT_WEBHOOK_SECRET: 'whsec_of_the_start',
      LEASE_KEYS: keyringText('1', '2'),
    });
  });
  afterAll(() => stage.stop());

  test('is rotated by three moves, each at its time', async () => {
    const [old] = entries(stage.settingOf('LICENSE_PEPPERS'));
    expect(await stage.run(['promote', 'LICENSE_PEPPERS'])).toMatchObject({ code: 1, error: expect.stringContaining('add one first') });
    expect(await stage.run(['add', 'LICENSE_PEPPERS'])).toMatchObject({
      ...done,
      lines: [expect.stringMatching(/^LICENSE_PEPPERS: set; 1 is in use, 2 honoured as well \(version [\w-]{36}\)$/)],
    });
    const [first, added] = entries(stage.settingOf('LICENSE_PEPPERS'));
    expect([first, added]).toEqual([old, expect.stringMatching(/^2:/)]);
    const early = await stage.run(['promote', 'LICENSE_PEPPERS']);
    expect(early).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^LICENSE_PEPPERS was changed at \S+; wait until \S+, when every/),
    });
    const [, changed = '', until = ''] = /at (\S+); wait until (\S+),/.exec(early.error) ?? [];
    expect(Date.parse(until) - Date.parse(changed)).toBe(600_000);
    expect(await stage.move(['promote', 'LICENSE_PEPPERS'])).toMatchObject(done);
    expect(entries(stage.settingOf('LICENSE_PEPPERS'))).toEqual([added, old]);
    expect(await stage.move(['retire', 'LICENSE_PEPPERS'])).toMatchObject(done);
    expect(entries(stage.settingOf('LICENSE_PEPPERS'))).toEqual([added]);
    expect(await stage.move(['retire', 'LICENSE_PEPPERS'])).toMatchObject({ code: 1, error: expect.stringContaining('one entry alone') });
    expect(readKeptSecrets(stage.data)['LICENSE_PEPPERS']).toBe(added);
  });

  test('keeps a pepper under which there is a license still', async () => {
    await stage.move(['add', 'LICENSE_PEPPERS']);
    await stage.move(['promote', 'LICENSE_PEPPERS']);
    const [, old = ''] = entries(stage.settingOf('LICENSE_PEPPERS'));
    const [version = ''] = old.split(':');
    const id = newId('license');
    const Item = {
      ...licensePointerKey(id),
      ...listKey(`licenses#${version}`, new Date().toISOString(), id),
      licenseId: id,
      lookup: `${version}.x`,
    };
    const client = createDynamoClient({
      endpoint: stage.engines.engines.dynamodbEndpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
    await DynamoDBDocumentClient.from(client).send(new PutCommand({ TableName: stage.engines.tableName, Item }));
    expect(await stage.move(['retire', 'LICENSE_PEPPERS'])).toMatchObject({
      code: 1,
      error: `LICENSE_PEPPERS keeps ${version}: there are licenses under it. Run rekey until nothing is left.`,
    });
    expect(entries(stage.settingOf('LICENSE_PEPPERS'))).toContain(old);
  });

  test('keeps every encryption key that was in use, and drops one that never was', async () => {
    await stage.move(['add', 'ENCRYPTION_KEYS']);
    expect(await stage.move(['retire', 'ENCRYPTION_KEYS'])).toMatchObject(done);
    expect(entries(stage.settingOf('ENCRYPTION_KEYS'))).toEqual([expect.stringMatching(/^1:/)]);
    await stage.move(['add', 'ENCRYPTION_KEYS']);
    await stage.move(['promote', 'ENCRYPTION_KEYS']);
    expect(await stage.move(['retire', 'ENCRYPTION_KEYS', '--at-once'])).toMatchObject({
      code: 1,
      error: 'ENCRYPTION_KEYS keeps 1: what is sealed with it cannot be sealed again, and would never be read.',
    });
  });

  test('keeps a lease key until its last lease has ended, unless it is dropped at once; the next one stays', async () => {
    expect(await stage.move(['promote', 'LEASE_KEYS'])).toMatchObject(done);
    await stage.move(['add', 'LEASE_KEYS']);
    const [second, first, third] = entries(stage.settingOf('LEASE_KEYS'));
    const early = await stage.run(['retire', 'LEASE_KEYS'], { SECRETS_SECONDS: '1' });
    const [, changed = '', until = ''] = /at (\S+); wait until (\S+),/.exec(early.error) ?? [];
    expect(Date.parse(until) - Date.parse(changed)).toBe((366 * 24 * 3600 + 2) * 1000);
    expect(await stage.move(['retire', 'LEASE_KEYS', '--at-once'])).toMatchObject(done);
    expect(entries(stage.settingOf('LEASE_KEYS'))).toEqual([second, third]);
    expect(first).toMatch(/^1:/);
  });

  test('takes one more secret of the provider, and none in another form', async () => {
    const add = (PAYMENT_WEBHOOK_SECRET: string) => stage.move(['add', 'PAYMENT_WEBHOOK_SECRET'], { PAYMENT_WEBHOOK_SECRET });
    expect((await add('whsec_x')).error).toBe('PAYMENT_WEBHOOK_SECRET: a function would refuse this value, so it was not set.');
    expect((await add('whsec_of_the_start')).error).toBe('PAYMENT_WEBHOOK_SECRET has that entry already.');
    expect((await add('whsec_one_of_two,whsec_two_of_two')).error).toBe('PAYMENT_WEBHOOK_SECRET takes one more entry at a time.');
    expect(stage.settingOf('PAYMENT_WEBHOOK_SECRET')).toBe('whsec_of_the_start');
    expect(await add(' whsec_of_the_provider\n')).toMatchObject(done);
    expect(stage.settingOf('PAYMENT_WEBHOOK_SECRET')).toBe('whsec_of_the_start,whsec_of_the_provider');
  });

  test('goes through moves in letters and digits where a CDN sends it', async () => {
    await stage.move(['add', 'ORIGIN_SECRET']);
    await stage.move(['promote', 'ORIGIN_SECRET']);
    expect(stage.settingOf('ORIGIN_SECRET')).toMatch(/^[A-Za-z0-9]{64},(a1){8}$/);
    expect(await stage.move(['retire', 'ORIGIN_SECRET'])).toMatchObject(done);
    expect(stage.settingOf('ORIGIN_SECRET')).toMatch(/^[A-Za-z0-9]{64}$/);
  });

  test('is replaced where it is one value, or the provider’s, and never where what it made would be lost', async () => {
    const before = stage.settingOf('CALLER_HASH_KEY');
    expect(await stage.run(['replace', 'CALLER_HASH_KEY'])).toMatchObject(done);
    expect(stage.settingOf('CALLER_HASH_KEY')).not.toBe(before);
    for (const name of ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS', 'LEASE_KEYS', 'ORIGIN_SECRET']) {
      expect(await stage.run(['replace', name])).toMatchObject({ code: 2, error: expect.stringContaining('add, promote, retire') });
    }
  });

  test('is asked for in a terminal, which does not show what is typed', async () => {
    const typed = 'sk_test_typed_by_hand';
    const command = `${process.execPath} infra/commands/ops/ops.ts secrets replace PAYMENT_SECRET_KEY`;
    const env = { ...process.env, NODE_OPTIONS: '', DATA_DIR: stage.data, STAGE: '', PAYMENT_SECRET_KEY: '' };
    const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { cwd: root, env });
    let shown = '';
    let answered = false;
    terminal.stdout.on('data', (chunk: Buffer) => {
      shown += chunk;
      if (answered || !shown.includes('PAYMENT_SECRET_KEY: ')) return;
      answered = true;
      terminal.stdin.write(`${typed}\r`);
    });
    expect(await new Promise((resolve) => terminal.once('close', resolve))).toBe(0);
    expect(stage.settingOf('PAYMENT_SECRET_KEY')).toBe(typed);
    expect(shown).toMatch(/^PAYMENT_SECRET_KEY: \s+PAYMENT_SECRET_KEY: set \(version [\w-]{36}\)\s*$/);
  });

  test('is told and left alone when it is malformed', async () => {
    expect((await stage.run([])).lines).toContain('TOKEN_KEYS: malformed');
    expect(await stage.run(['set'])).toMatchObject({ code: 1, error: expect.stringMatching(/^TOKEN_KEYS was set, and is malformed/) });
    expect(stage.settingOf('TOKEN_KEYS')).toBe('not a keyring');
  });

  test('is changed by one of two operators at the same moment', async () => {
    const { DATA_DIR, STAGE } = process.env;
    Object.assign(process.env, { DATA_DIR: stage.data, STAGE: '' });
    const store = await findSecretStore();
    Object.assign(process.env, { DATA_DIR, STAGE });
    const stored = await store.read('CALLER_HASH_KEY');
    expect(await stage.run(['replace', 'CALLER_HASH_KEY'])).toMatchObject(done);
    await expect(store.put('CALLER_HASH_KEY', await newEntry('CALLER_HASH_KEY', ''), stored)).rejects.toThrow(
      'CALLER_HASH_KEY was changed by somebody else at this moment; look at it again.',
    );
  });
});
