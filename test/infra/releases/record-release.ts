import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseArguments, runCommand } from '../../../infra/commands/command-line.ts';
import { deployedOf } from '../../support/templates/deployed.ts';
import { readService } from '../../support/templates/service.ts';
import { stacksAt } from '../../support/templates/stacks-at.ts';

const usage = `Usage: npm run record-release
  Writes down what the templates of this checkout deploy, for the tests to compare the next version with:
  whether an update of it can be rolled out. To be run, and committed, with every release.`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  const lines = deployedOf(readService(await stacksAt('production')));
  writeFileSync(join(import.meta.dirname, 'last-release.txt'), `${lines.join('\n')}\n`);
  console.log(`${lines.length} lines in test/infra/releases/last-release.txt`);
});
