import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { refuseArguments, runCommand } from '../../../infra/commands/command-line.ts';
import { synthesizeAt } from '../synthesized.ts';
import { type AccessRecord, faultsOf, rightsIn } from './rights.ts';
import { readRolePolicies } from './synthesized-roles.ts';
import { unusedInTests, usedByChance } from './unused-in-tests.ts';

const usage = `Usage: npm run test:rights
  Fails when a role allows what no function did on a whole stack, in the runs that noted what
  theirs did in the folder ACCESS_RECORD, and when a reason for that is not needed any more.`;

const Line = z.object({ function: z.string(), action: z.string(), resource: z.string(), prefixes: z.array(z.string()) });

await runCommand(usage, async (args) => {
  refuseArguments(args);
  const records = readRecords(process.env['ACCESS_RECORD'] ?? '');
  if (records.length === 0)
    throw new Error('No record of what functions did: ACCESS_RECORD must name the folder in which stacks kept theirs.');
  const { roles } = readRolePolicies(await synthesizeAt('staging'));
  const faults = faultsOf(rightsIn(roles), records, { unused: unusedInTests, byChance: usedByChance });
  if (faults.length > 0) throw new Error(faults.join('\n'));
});

/** What was allowed, of every stack that kept a record there. */
function readRecords(folder: string): AccessRecord[] {
  const files = folder === '' ? [] : globSync('**/*.jsonl', { cwd: folder }).filter((file) => !/(^|\/)denied[^/]*$/.test(file));
  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')).filter(Boolean);
  return [...new Set(lines)].map((line) => z.parse(Line, JSON.parse(line)));
}
