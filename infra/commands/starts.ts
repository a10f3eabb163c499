import { findFunctions } from '../bundles/find-functions.ts';
import { refuseArguments, runCommand } from './command-line.ts';

const usage = `Usage: npm run starts
  Writes what Lambda starts of each function to build/starts, as the build does, for the type check.`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  await findFunctions();
});
