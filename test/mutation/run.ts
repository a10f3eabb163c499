import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runCommand, UsageError } from '../../infra/commands/command-line.ts';
import { type Mutant, type Planted, plant } from './mutant.ts';
import { readLists } from './read-mutants.ts';

const fewestKilled = 0.95;
const root = join(import.meta.dirname, '../..');
const minute = 60_000;
const lists = readLists();

type PlantedMutant = Planted & { mutant: Mutant };

const usage = `Usage: npm run mutation [-- <list or words>...]
  Plants each mutant in a copy of the project and runs its tests: all of them, or those of a
  list or with these words in their fault. Fails when under 95 % are killed, and when one
  survives without a reason or is killed although its list says that it survives.

  MUTATION_WORKERS says how many processes it takes. The lists: ${Object.keys(lists).join(' ')}`;

await runCommand(usage, async (wanted) => {
  const unknown = wanted.filter((word) => chosenBy([word]).length === 0);
  if (unknown.length > 0) throw new UsageError(`No list or mutant is called ${unknown.join(', ')}.`);
  await testMutants(chosenBy(wanted));
});

function chosenBy(wanted: readonly string[]): Mutant[] {
  const isWanted = (name: string, { fault }: Mutant) => wanted.length === 0 || wanted.some((word) => word === name || fault.includes(word));
  return Object.entries(lists).flatMap(([name, list]) => list.filter((mutant) => isWanted(name, mutant)));
}

async function testMutants(chosen: readonly Mutant[]): Promise<void> {
  // Planted at once, so that an edit during the run changes nothing of it.
  const queue = chosen.map((mutant) => ({ mutant, ...plant(mutant) }));
  const survivors: Mutant[] = [];
  const workers = Number(process.env['MUTATION_WORKERS'] ?? availableParallelism());
  const copy = await copyProject();
  const copies = [copy, ...(await Promise.all(Array.from({ length: workers - 1 }, copyProject)))];
  try {
    const tests = [...new Set(chosen.flatMap((mutant) => mutant.tests))];
    const failure = await failureOf(copy, tests, { workers: copies.length, timeoutMs: 30 * minute });
    if (failure !== undefined) throw new Error(`The tests fail without any mutant:\n${/●.{1,4000}/s.exec(failure)?.[0] ?? failure}`);
    await Promise.all(copies.map((one) => runQueue(one, queue, survivors)));
  } finally {
    await Promise.all(copies.map((copy) => rm(copy, { recursive: true })));
  }
  report(chosen, survivors);
}

function report(chosen: readonly Mutant[], survivors: readonly Mutant[]): void {
  const killed = chosen.length - survivors.length;
  const wronglyExcused = chosen.filter((mutant) => mutant.survives !== undefined && !survivors.includes(mutant));
  for (const { fault, survives } of survivors) console.log(`survived: ${fault}${survives ? ` (${survives})` : ''}`);
  for (const { fault } of wronglyExcused) console.log(`killed, although its list says that it survives: ${fault}`);
  console.log(`${killed} of ${chosen.length} killed, ${((100 * killed) / chosen.length).toFixed(1)} %`);
  const unexplained = survivors.some(({ survives }) => survives === undefined);
  if (killed < fewestKilled * chosen.length || unexplained || wronglyExcused.length > 0) process.exitCode = 1;
}

async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'mutation-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\0').filter((name) => name !== '')) await cp(join(root, file), join(copy, file));
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function runQueue(copy: string, queue: PlantedMutant[], survivors: Mutant[]): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { mutant, file, source, planted } = next;
    await writeFile(join(copy, file), planted);
    const survived = (await failureOf(copy, mutant.tests)) === undefined;
    await writeFile(join(copy, file), source);
    if (survived) survivors.push(mutant);
    console.log(`${survived ? 'SURVIVED' : 'killed  '} ${mutant.fault}`);
  }
}

/** What jest prints when the tests fail in the copy; tests that hang have noticed something too. */
async function failureOf(copy: string, tests: readonly string[], { workers = 1, timeoutMs = 3 * minute } = {}) {
  const args = ['node_modules/jest/bin/jest.js', '--config', '.jest.config.mjs', '--bail', `--maxWorkers=${workers}`, ...tests];
  const jest = spawn(process.execPath, args, { cwd: copy, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  // What hangs is a process of jest's own, which would go on without it.
  const watch = setTimeout(() => process.kill(-Number(jest.pid), 'SIGKILL'), timeoutMs);
  const [printed, complained, [code]] = await Promise.all([text(jest.stdout), text(jest.stderr), once(jest, 'close')]);
  clearTimeout(watch);
  return code === 0 ? undefined : printed + complained;
}
