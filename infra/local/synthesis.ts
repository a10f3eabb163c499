import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { StartError } from './engines/engine.ts';

const root = join(import.meta.dirname, '..', '..');
const outputs = join(root, 'cdk.out', 'local');
const kept = 3;

/**
 * The folder of the synthesized app, as `cdk deploy` would deploy it at stage `local`.
 * Made anew only when something that goes into it has changed. See "Start and end" in README.md.
 */
export async function synthesize(say: (line: string) => void, signal?: AbortSignal): Promise<string> {
  const folder = join(outputs, hashOfInputs());
  if (existsSync(folder)) return folder;
  say('Synthesizing the app (about ten seconds; only after a change) …');
  const unfinished = `${folder}.${randomUUID()}`;
  await runApp(unfinished, signal);
  // In Lambda no package.json is around the bundles; here the project's is, and would make ES modules of them.
  await writeFile(join(unfinished, 'package.json'), '{"type":"commonjs"}');
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }));
  await removeOld();
  return folder;
}

async function runApp(CDK_OUTDIR: string, signal: AbortSignal | undefined): Promise<void> {
  // Whether CloudFormation would take the templates is for `npm run synth` to check; it costs most of the time.
  const options = { STAGE: 'local', CDK_OUTDIR, CDK_CONTEXT_JSON: JSON.stringify(contextOfApp()), CDK_VALIDATION: 'false' };
  const env = { ...process.env, ...options };
  try {
    await promisify(execFile)(process.execPath, [join(root, 'infra', 'app.ts')], { cwd: root, env, signal });
  } catch (error) {
    const printed = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new StartError(`The app cannot be synthesized:\n${printed.trim()}`);
  }
}

function hashOfInputs(): string {
  const hash = createHash('sha256').update(process.version);
  for (const file of inputsOfApp())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex').slice(0, 20);
}

/** What runs the app or works on it, and is no part of it. */
const besideApp = /^infra\/(local|commands)\/|\.md$/;

/** The files that the synthesized app is made from, as paths in the project. */
export function inputsOfApp(): string[] {
  const files = ['functions', 'shared', 'infra'].flatMap(filesBelow).filter((file) => !besideApp.test(file));
  return [...files, 'cdk.json', 'package-lock.json'].sort();
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function contextOfApp(): Record<string, unknown> {
  const CdkJson = z.object({ context: z.record(z.string(), z.unknown()) });
  return z.parse(CdkJson, JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'))).context;
}

async function removeOld(): Promise<void> {
  const folders = readdirSync(outputs).map((name) => join(outputs, name));
  const byAge = folders.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  await Promise.all(byAge.slice(kept).map((folder) => rm(folder, { recursive: true, force: true })));
}
