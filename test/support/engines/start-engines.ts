import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, StartError } from '../../../infra/local/engines/engine.ts';
import { chromiumPath, hasBrowser } from '../http/browser.ts';
import { describeInterface } from '../interface/describe-interface.ts';
import { hasClamd } from './clamd.ts';
import { startTableEngine } from './table-engine.ts';

declare global {
  var engines: Engine[];
}

/** One DynamoDB engine for all tests of a run; each test makes its own table in it, from the deployed template. */
export default async function startEngines(): Promise<void> {
  try {
    if (process.env['CI']) requireEverything();
    const folders = await mkdtemp(join(tmpdir(), 'license-service-tests-'));
    process.env['TEST_FOLDERS'] = folders;
    globalThis.engines = [
      await startTableEngine(),
      { endpoint: folders, stop: () => rm(folders, { recursive: true, force: true, maxRetries: 5 }) },
    ];
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
  await describeInterface();
}

/** Where changes are judged no test may be left out for want of what it stands on. */
function requireEverything(): void {
  if (!hasBrowser) throw new StartError(`There is no browser at ${chromiumPath}; CI needs Debian's chromium-headless-shell.`);
  if (!hasClamd) throw new StartError("There is no clamd; CI needs Debian's clamav-daemon.");
}
