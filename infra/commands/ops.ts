import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { readSettings } from '../../shared/config.ts';
import { createTable, type Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createLicenseMoveRepository } from '../../shared/licenses/license-move-repository.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { createRekeying } from '../../shared/licenses/rekeying.ts';
import { readSecrets } from '../../shared/secrets.ts';

/**
 * `npm run ops -- <command>`: what an operator does by hand.
 *
 * Without more it works on the local stack that runs on DATA_DIR. Against the cloud,
 * STAGE and TABLE_NAME say where, and the AWS credentials of the shell are used.
 */
const usage = `Usage: npm run ops -- <command>
  dead-letters            lists the jobs that were given up
  redrive <job id>|--all  makes them due again, with all their attempts before them
  rekey                   moves licenses to the current pepper; run it until nothing is left`;

const secrets = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS'] as const;

const LocalStack = z.object({ tableName: z.string(), dynamodbEndpoint: z.string(), region: z.string() });

/** Points this process at the local stack, or leaves it to the AWS settings of the shell. */
async function findTable(): Promise<Table> {
  const tableName = process.env['TABLE_NAME'];
  if (tableName) return createTable({ tableName });
  const file = join(process.env['DATA_DIR'] || '.local', 'stack.json');
  const stack = LocalStack.parse(JSON.parse(await readFile(file, 'utf8')));
  Object.assign(process.env, {
    STAGE: 'local',
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
  });
  return createTable({ tableName: stack.tableName });
}

async function listDeadLetters(table: Table): Promise<void> {
  let count = 0;
  for await (const { id, attempts, lastFailure, createdAt } of createJobRepository({ table }).eachDeadJob()) {
    console.log(`${id}  ${lastFailure ?? 'unknown'}  attempts ${attempts}  since ${createdAt}`);
    count += 1;
  }
  console.log(`${count} dead`);
}

async function redrive(table: Table, target: string): Promise<void> {
  const jobs = createJobRepository({ table });
  const targets: string[] = [];
  if (target === '--all') for await (const job of jobs.eachDeadJob()) targets.push(job.id);
  else targets.push(target);
  for (const id of targets) {
    await jobs.redriveJob(id);
    console.log(`${id} is due; the next sweep sends it`);
  }
}

async function rekey(table: Table): Promise<void> {
  const { LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys } = readSettings(secrets, await readKeys());
  const rekeying = createRekeying({
    table,
    licenses: createLicenseRepository({ table }),
    moves: createLicenseMoveRepository({ table }),
    peppers,
    encryptionKeys,
  });
  const { moved, finished, left, failures } = await rekeying.rekeyLicenses();
  console.log(`moved ${moved}, finished ${finished}, left ${left}`);
  for (const { licenseId, reason } of failures) console.log(`${licenseId} stays: ${reason}`);
  if (left > 0) console.log('Run this again in a minute. Retire the older peppers when nothing is left.');
}

/** Keys of the environment first, then of the local stack or the cloud's secrets store. */
async function readKeys(): Promise<Record<string, string | undefined>> {
  const stage = process.env['STAGE'] ?? 'local';
  if (secrets.every((name) => process.env[name])) return process.env;
  if (stage === 'local') {
    const kept = JSON.parse(await readFile(join(process.env['DATA_DIR'] || '.local', 'secrets.json'), 'utf8'));
    return { ...kept, ...process.env };
  }
  for (const name of secrets) process.env[name] = `license-service/${stage}/${name}`;
  return { ...process.env, ...(await readSecrets(secrets)) };
}

const [command, target] = process.argv.slice(2);
try {
  if (command === 'dead-letters') await listDeadLetters(await findTable());
  else if (command === 'redrive' && target) await redrive(await findTable(), target);
  else if (command === 'rekey') await rekey(await findTable());
  else throw new Error(usage);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
