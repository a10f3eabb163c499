import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApiDocument } from '../documents/openapi/document.ts';

/** `npm run openapi`: writes the description of the interface to build/openapi.json. */
const folder = join(import.meta.dirname, '..', '..', 'build');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(await createOpenApiDocument(), null, 2)}\n`);
