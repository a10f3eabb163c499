import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenApiDocument } from '../../../infra/documents/openapi/document.ts';

/**
 * Where the tests find the description of the interface, and note which of its statuses
 * they exercised: in CONFORMANCE_RECORD, which several runs may share, or a folder of this run's own.
 */
export async function describeInterface(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  process.env['OPENAPI_DOCUMENT'] = join(folder, 'openapi.json');
  writeFileSync(process.env['OPENAPI_DOCUMENT'], JSON.stringify(await createOpenApiDocument()));
  process.env['CONFORMANCE_RECORD'] ||= join(folder, 'exercised');
  mkdirSync(process.env['CONFORMANCE_RECORD'], { recursive: true });
}
