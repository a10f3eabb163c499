import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type RunningStack, startStack } from '../support/scenes/stack.ts';

const root = join(import.meta.dirname, '..', '..');

jest.setTimeout(180_000);

describe('the demo against the local stack', () => {
  let stack: RunningStack;
  let told: string;

  beforeAll(async () => {
    stack = await startStack();
    const env = { ...process.env, NODE_OPTIONS: '', BASE_URL: stack.address };
    told = (await promisify(execFile)('npm', ['run', 'demo'], { cwd: root, env })).stdout;
  });
  afterAll(() => stack.stop());

  test('runs the whole story, from the application to the revocation', () => {
    expect(told).toContain('Summary');
    expect(told).toMatch(/hashing +█{30} 32 MiB\n/);
    expect(told).toMatch(/uploading +█{30} 32 MiB\n/);
    expect(told).toContain('download: 33554432 bytes, the very ones that were uploaded');
    expect(told).toContain('activation_limit_exceeded');
    expect(told).toContain('after the revocation: valid false, license_revoked');
  });

  test('shows no key, token or secret, and neither does the log', () => {
    for (const text of [told, stack.output()]) {
      expect(text).not.toMatch(/[A-Z][A-Z0-9]{0,11}(-[0-9A-Z]{5}){5}/);
      expect(text).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
      expect(text).not.toMatch(/whsec_|sk_test_/);
      expect(text).not.toMatch(/X-Amz-Signature=\w/);
    }
  });

  test('leaves one mail with a link and no key, and nothing in the queues', async () => {
    const { items: mails } = (await (await fetch(`${stack.address}/__local/outbox`)).json()) as any;
    expect(mails).toEqual([
      {
        to: expect.stringMatching(/@/),
        subject: expect.any(String),
        text: expect.any(String),
        html: expect.any(String),
        sent_at: expect.stringMatching(/Z$/),
      },
    ]);
    expect(mails[0].text).toContain(`${stack.address}/complete#token=`);
    expect(mails[0].text).not.toMatch(/(-[0-9A-Z]{5}){5}/);
    const { items: queues } = (await (await fetch(`${stack.address}/__local/queues`)).json()) as any;
    expect(queues).toHaveLength(5);
    for (const queue of queues) expect(queue).toEqual({ name: expect.any(String), waiting: 0, in_flight: 0, dead: 0 });
  });
});
