import { join } from 'node:path';
import { codeFolder } from '../../shared/start-function.ts';
import { readPageAssets } from './assets/assets.ts';

/** What the pages load, which the build puts beside the code. */
export const ownParts = () => ({ assets: readPageAssets(join(codeFolder(import.meta.dirname), 'assets')) });
