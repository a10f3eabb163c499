import { join } from 'node:path';
import { codeFolder } from '../../shared/start-function.ts';
import { readConsoleAssets } from './assets.ts';

/** What the shell loads, which the build puts beside the code. */
export const ownParts = () => ({ consoleAssets: readConsoleAssets(join(codeFolder(import.meta.dirname), 'assets')) });
