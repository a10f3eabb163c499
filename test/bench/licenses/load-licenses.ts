import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { enginePath } from '../../../infra/local/engines/dynamodb-engine.ts';
import { createDynamoClient } from '../../../shared/db/sdk-dynamo.ts';
import type { License } from '../../../shared/licenses/license.ts';
import { generateLicenseKey } from '../../../shared/licenses/license-key.ts';
import { createLicenseRepository } from '../../../shared/licenses/license-repository.ts';
import { createTestTable, type TestTable } from '../../support/engines/test-table.ts';
import { sampleLicense } from '../../support/samples/licenses.ts';

const licensesAtATime = 500;
const reportEvery = 50_000;

/** The key of the license with this number: none has to be remembered. */
export const keyOfLicense = (index: number) =>
  generateLicenseKey('LIC1', (size) => createHash('sha256').update(`${index}`).digest().subarray(0, size));

/**
 * Makes the data file of an engine in `folder`, with a table for each of `counts`, in this order, with so many licenses, and says on stderr how
 * far it is. Each license has all the items of one that was bought. Resolves to the file and the tables' names.
 *
 * They are written as DynamoDB exports a table and imported by the engine: through requests it would take several times as long.
 */
export async function loadLicenses(folder: string, counts: readonly number[], facts: Partial<License>) {
  const file = join(folder, 'table.db');
  const template = await createTestTable();
  const tableNames = counts.map((count) => `licenses-${count}`);
  for (const [at, count] of counts.entries()) await writeExport(join(folder, 'export', tableNames[at] ?? ''), template, count, facts);
  await writeFile(join(folder, 'schema.json'), JSON.stringify(await schemasOf(template, tableNames)));
  console.error('importing');
  await promisify(execFile)(enginePath(), [
    'import',
    ...['--source', join(folder, 'export')],
    ...['--schema', join(folder, 'schema.json')],
    ...['--output', file],
  ]);
  return { file, tableNames };
}

async function schemasOf({ tableName }: TestTable, names: readonly string[]) {
  const { Table } = await createDynamoClient().send(new DescribeTableCommand({ TableName: tableName }));
  return names.map((name) => ({ Table: { ...Table, TableName: name } }));
}

async function writeExport(folder: string, { table }: TestTable, count: number, facts: Partial<License>): Promise<void> {
  const repository = createLicenseRepository({ table });
  const data = join(folder, 'data');
  await mkdir(data, { recursive: true });

  function linesOf(index: number): string {
    const { license } = sampleLicense({ key: keyOfLicense(index), ...facts });
    return repository
      .issueLicense(license)
      .map((write) => ('put' in write ? `${JSON.stringify({ Item: marshall(write.put.Item, { removeUndefinedValues: true }) })}\n` : ''))
      .join('');
  }

  function* chunks() {
    for (let done = 0; done < count; done += licensesAtATime) {
      if (done % reportEvery === 0) console.error(`${done} of ${count} licenses`);
      const size = Math.min(licensesAtATime, count - done);
      yield Array.from({ length: size }, (_, index) => linesOf(done + index)).join('');
    }
  }
  await pipeline(Readable.from(chunks()), createWriteStream(join(data, 'licenses.json')));
}
