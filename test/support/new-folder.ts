import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for what a test keeps; those of a run are removed at its end. */
export const newFolder = () => mkdtempSync(join(process.env['TEST_FOLDERS'] ?? tmpdir(), 'license-service-test-'));
