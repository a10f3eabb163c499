import { runCommand } from '../command-line.ts';
import { runOps, usage } from './commands.ts';

await runCommand(usage, runOps);
