import { refuseArguments, runCommand } from '../../../infra/commands/command-line.ts';
import { synthesizeAt } from '../synthesized.ts';
import { faultsOf, readRecords, rightsIn } from './rights.ts';
import { readRolePolicies } from './synthesized-roles.ts';
import { unusedInTests, usedByChance } from './unused-in-tests.ts';

const usage = `Usage: npm run test:rights
  Fails when a role allows what no function did on a whole stack, in the runs that noted what
  theirs did in the folder ACCESS_RECORD, and when a reason for that is not needed any more.`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  const records = readRecords(process.env['ACCESS_RECORD'] ?? '');
  if (records.length === 0)
    throw new Error('No record of what functions did: ACCESS_RECORD must name the folder in which stacks kept theirs.');
  const { roles } = readRolePolicies(await synthesizeAt('staging'));
  const faults = faultsOf(rightsIn(roles), records, { unused: unusedInTests, byChance: usedByChance });
  if (faults.length > 0) throw new Error(faults.join('\n'));
});
