import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../infra/local/engine.ts';
import { createOpenApiDocument } from '../../infra/openapi/document.ts';
import { startTableEngine } from './table-engine.ts';

declare global {
  var engines: Engine[];
}

/** One DynamoDB engine for all tests of a run; each test makes its own table in it, from the deployed template. */
export default async function startEngines(): Promise<void> {
  globalThis.engines = [await startTableEngine()];
  await describeInterface();
}

/** Where the tests find the description of the interface, and note which of its statuses they exercised. */
async function describeInterface(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  process.env['OPENAPI_DOCUMENT'] = join(folder, 'openapi.json');
  process.env['CONFORMANCE_RECORD'] = join(folder, 'exercised');
  mkdirSync(process.env['CONFORMANCE_RECORD']);
  writeFileSync(process.env['OPENAPI_DOCUMENT'], JSON.stringify(await createOpenApiDocument()));
}
