import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export interface TestProcess {
  child: ChildProcess;
  pid: number;
  /** The first line it wrote. */
  said: string;
  stop(): Promise<void>;
}

/** A script of test/support as a process of its own, so that its memory can be measured; waits for its first line. */
export async function startProcess(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<TestProcess> {
  const path = new URL(script, import.meta.url).pathname;
  const child = spawn(process.execPath, [path, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  if (!child.stdout || child.pid === undefined) throw new Error(`${script} did not start.`);
  const [said] = await once(createInterface({ input: child.stdout }), 'line');
  return {
    child,
    pid: child.pid,
    said,
    async stop() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}
