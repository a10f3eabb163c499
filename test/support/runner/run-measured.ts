import { spawn } from 'node:child_process';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * Runs a command, and ends with the processor time of all its processes in units: one is that of `npm run typecheck`
 * from nothing, on the same machine in the same hour. See "Time" in test/running.md.
 */
const cache = join(import.meta.dirname, '../../../node_modules/.cache');
const unitFile = join(cache, 'unit.json');
const hour = 3_600_000;

const [command = 'true', ...args] = process.argv.slice(2);
const tests = await measure(command, args, 'inherit');
const unit = readUnit() ?? (await measureUnit());
const units = unit === undefined ? '' : ` (${(tests.processor / unit).toFixed(1)} units of ${unit.toFixed(1)} s)`;
console.log(
  `\n${tests.processor.toFixed(0)} s of processor time${units}, ${tests.wall.toFixed(0)} s on ${availableParallelism()} processors.`,
);
process.exitCode = tests.code;

function readUnit(): number | undefined {
  const age = Date.now() - (statSync(unitFile, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return age < hour ? Number(readFileSync(unitFile, 'utf8')) : undefined;
}

/** Nothing where types are wrong: their check then ends early. */
async function measureUnit(): Promise<number | undefined> {
  rmSync(join(cache, 'types'), { recursive: true, force: true });
  const { code, processor } = await measure('npm', ['run', '--silent', 'typecheck'], 'ignore');
  if (code !== 0) return undefined;
  writeFileSync(unitFile, String(processor));
  return processor;
}

/** Seconds: of the processors, for the command and all that it started, as the shell adds them up; and of the clock. */
async function measure(command: string, args: readonly string[], output: 'inherit' | 'ignore') {
  const begun = performance.now();
  const child = spawn('/bin/sh', ['-c', '"$@"; code=$?; times >&3; exit $code', 'sh', command, ...args], {
    stdio: ['inherit', output, output, 'pipe'],
  });
  const times: Buffer[] = [];
  child.stdio[3]?.on('data', (bytes: Buffer) => times.push(bytes));
  const code = await new Promise<number>((resolve) => child.once('close', (exitCode) => resolve(exitCode ?? 1)));
  const [, ofChildren = ''] = Buffer.concat(times).toString().trim().split('\n');
  const processor = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
  return { code, processor, wall: (performance.now() - begun) / 1000 };
}
