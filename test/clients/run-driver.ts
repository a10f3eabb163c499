import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runDriver as run } from './conformance/driver.ts';

const main = join(import.meta.dirname, 'drivers/typescript/main.ts');

export const denoPath = findDeno();

/** What the driver printed, run by Node or by Deno with no more rights than the client asks for. */
export async function runDriver(runtime: string, args: readonly string[], settings: Record<string, string> = {}): Promise<unknown> {
  const rights = ['--allow-net', '--allow-read', '--allow-write', '--allow-env', '--allow-sys'];
  const flags = runtime === denoPath ? ['run', '--no-prompt', '--no-config', '--no-lock', '--no-npm', '--no-remote', ...rights] : [];
  return run([runtime, ...flags, main], args, { DENO_NO_UPDATE_CHECK: '1', ...settings });
}

/** Its package has no JavaScript, just the program for this kind of machine. */
function findDeno(): string {
  try {
    return createRequire(import.meta.url).resolve('@deno/linux-x64-glibc/deno');
  } catch {
    return '';
  }
}
