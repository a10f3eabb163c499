import { existsSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../command-line.ts';
import type { Command } from './command.ts';
import { findDataDirectory } from './targets.ts';

/** See "Practise it" in infra/commands/ops/restore.md */
export const exportTable: Command = {
  name: 'export',
  takes: '<file>',
  does: 'copies the table of the local stack, which may be running; the cloud restores by itself',
  async run([file, ...others]) {
    if (file === undefined || others.length > 0) throw new UsageError('Name the file to export to.');
    if (existsSync(file)) throw new Error(`${file} is there already.`);
    const source = join(findDataDirectory(), 'table.db');
    if (!existsSync(source)) throw new Error(`There is no ${source}.`);
    // Only now: it warns that it is experimental.
    const { backup, DatabaseSync } = await import('node:sqlite');
    const at = new Date().toISOString();
    const table = new DatabaseSync(source, { readOnly: true });
    // The file alone lacks what is still in the log beside it.
    await backup(table, file);
    table.close();
    await chmod(file, 0o600);
    console.log(`the table as of ${at} is in ${file}`);
  },
};
