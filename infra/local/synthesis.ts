import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { cacheOutput } from './cached-outputs.ts';
import { StartError } from './engines/engine.ts';

const root = join(import.meta.dirname, '..', '..');

/**
 * The folder of the synthesized app, as `cdk deploy` would deploy it at stage `local`.
 * Made anew only when something that goes into it has changed. See "Start and end" in running.md.
 */
export const synthesize = (say: (line: string) => void, signal?: AbortSignal): Promise<string> =>
  cacheOutput('app', async (folder) => {
    say('Synthesizing the app (about ten seconds; only after a change) …');
    await runApp(folder, signal);
    // In Lambda no package.json is around the bundles; here the project's is, and would make ES modules of them.
    await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}');
  });

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

/** What `cdk` tells the app. */
export function contextOfApp(): Record<string, unknown> {
  const CdkJson = z.object({ context: z.record(z.string(), z.unknown()) });
  return z.parse(CdkJson, JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'))).context;
}
