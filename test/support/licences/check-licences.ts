import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuseArguments, runCommand } from '../../../infra/commands/command-line.ts';
import { bindingLicences } from './licences.ts';

const usage = `Usage: npm run licences
  Fails when a package of package-lock.json in this folder has a licence that is not known to be permissive.`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  const found = bindingLicences(read('package-lock.json'), (path) => read(join(path, 'package.json')).license);
  if (found.length > 0) throw new Error(`Not under a permissive licence:\n${found.join('\n')}`);
});

function read(file: string) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
