import { join } from 'node:path';
import { readSite } from './site.ts';

/** The site, which the build puts beside the code. */
export const ownParts = () => ({ site: readSite(join(import.meta.dirname, 'site')) });
