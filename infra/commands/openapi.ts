import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApiDocument } from '../documents/openapi/document.ts';
import { refuseArguments, runCommand } from './command-line.ts';

const usage = `Usage: npm run openapi
  Writes the OpenAPI document of the interface to build/openapi.json.`;

await runCommand(usage, async (args) => {
  refuseArguments(args);
  const folder = join(import.meta.dirname, '..', '..', 'build');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'openapi.json'), `${JSON.stringify(await createOpenApiDocument(), null, 2)}\n`);
});
