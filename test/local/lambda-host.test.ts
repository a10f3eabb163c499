import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLambda, type LambdaFunction } from '../../infra/local/lambda/lambda-host.ts';
import { newFolder } from '../support/new-folder.ts';

const code = `
let invocations = 0;
exports.handler = async ({ act, ms }, context) => {
  invocations += 1;
  if (act === 'environment') return process.env;
  if (act === 'wait') await new Promise((resolve) => setTimeout(resolve, ms));
  if (act === 'block') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (act === 'exit') process.exit(3);
  if (act === 'throw') throw new Error('no');
  if (act === 'leak') setTimeout(() => { throw new Error('uncaught'); }, 1) && await new Promise(() => {});
  if (act === 'grow') { const all = []; for (;;) all.push(new Array(1e6).fill({})); }
  if (act === 'large') return 'a'.repeat(7 * 1024 * 1024);
  return { invocations, remaining: context.getRemainingTimeInMillis() };
};
`;

describe('the local function host', () => {
  const folder = newFolder();
  let lambda: LambdaFunction;

  const startCode = async (text: string, timeoutSeconds = 2, name: string = randomUUID()) => {
    const file = join(folder, `${name}.cjs`);
    const compiled = join(folder, 'compiled');
    await writeFile(file, text);
    return createLambda({
      name: 'sample',
      file,
      handler: 'handler',
      compiled,
      environment: { ONLY: 'this' },
      timeoutSeconds,
      memoryMb: 64,
    });
  };

  beforeAll(async () => {
    lambda = await startCode(code);
  });
  afterAll(() => lambda.stop());

  test('gives a function its own environment and nothing of this process', async () => {
    expect(await lambda.invoke({ act: 'environment' })).toEqual({
      ONLY: 'this',
      AWS_LAMBDA_FUNCTION_NAME: 'sample',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '64',
    });
  });

  test('runs invocations side by side, and gives each its remaining time', async () => {
    const [slow, fast] = await Promise.all([lambda.invoke({ act: 'wait', ms: 300 }), lambda.invoke({})]);
    expect(fast).toMatchObject({ remaining: expect.any(Number) });
    expect(slow).toBeDefined();
  });

  test('reports a failure and keeps the thread', async () => {
    const { invocations } = (await lambda.invoke({})) as { invocations: number };
    await expect(lambda.invoke({ act: 'throw' })).rejects.toThrow('sample failed: no');
    expect(await lambda.invoke({})).toMatchObject({ invocations: invocations + 2 });
  });

  test.each([
    ['block', /timed out after 2 s/],
    ['exit', /ended in the middle/],
    ['leak', /crashed: uncaught/],
  ])('replaces a thread that is lost: %s', async (act, message) => {
    await expect(lambda.invoke({ act })).rejects.toThrow(message);
    expect(await lambda.invoke({})).toMatchObject({ invocations: 1 });
  });

  test('replaces a thread that outgrows its memory', async () => {
    // A busy machine takes its time to fill the memory.
    const patient = await startCode(code, 280);
    await expect(patient.invoke({ act: 'grow' })).rejects.toThrow(/crashed: .*memory/);
    expect(await patient.invoke({})).toMatchObject({ invocations: 1 });
    await patient.stop();
  }, 300_000);

  test('lets what runs beside a late invocation finish', async () => {
    const late = lambda.invoke({ act: 'wait', ms: 10_000 });
    const refused = expect(late).rejects.toThrow('timed out');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const beside = lambda.invoke({ act: 'wait', ms: 1000 });
    await refused;
    expect(await beside).toBeDefined();
  });

  test('keeps what it compiled where it is told, and still runs the code as it is now', async () => {
    for (const answer of ['first', 'other']) {
      const started = await startCode(`exports.handler = async () => '${answer}';`, 2, 'changing');
      expect(await started.invoke({})).toBe(answer);
      await started.stop();
    }
    expect(await readdir(join(folder, 'compiled'))).not.toEqual([]);
  });

  test('refuses a result over 6 MB', async () => {
    await expect(lambda.invoke({ act: 'large' })).rejects.toThrow('more than 6 MB');
  });
});
