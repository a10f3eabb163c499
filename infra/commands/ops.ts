import { readSettings } from '../../shared/config.ts';
import { ConditionFailedError, createTable, type Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { createLicenseRepository } from '../../shared/licenses/license-repository.ts';
import { createLicenseMoveRepository } from '../../shared/licenses/rekeying/license-move-repository.ts';
import { createRekeying } from '../../shared/licenses/rekeying/rekeying.ts';
import { createReplacedKeyRepository } from '../../shared/licenses/replaced-key-repository.ts';
import { readSecrets } from '../../shared/secrets.ts';
import { dataDirectoryOf, readKeptSecrets } from '../local/local-settings.ts';
import { readStackFile } from '../local/stack-file.ts';
import { runCommand, UsageError } from './command-line.ts';

const usage = `Usage: npm run ops -- <command>
  dead-letters              lists the jobs that were given up
  redrive <job id>...|--all makes them due again, with all their attempts before them
  rekey                     moves licenses to the current pepper; run it until nothing is left

Works on the local stack that runs on DATA_DIR. In the cloud, STAGE and TABLE_NAME
say where, and the AWS credentials of the shell are used.`;

const keySettings = ['LICENSE_PEPPERS', 'ENCRYPTION_KEYS'] as const;

/** Where the local stack keeps its data. */
function dataDirectory(): string {
  const directory = dataDirectoryOf(process.env);
  if (directory === undefined) throw new Error('A stack with DATA_DIR=:memory: cannot be worked on from outside.');
  return directory;
}

/** Points this process at the local stack, or leaves it to the AWS settings of the shell. */
async function findTable(): Promise<Table> {
  const tableName = process.env['TABLE_NAME'];
  if (tableName) return createTable({ tableName });
  const directory = dataDirectory();
  const stack = await readStackFile(directory).catch(() => {
    throw new Error(`No local stack runs on ${directory}. Start one with npm start, or name a table of the cloud in TABLE_NAME.`);
  });
  Object.assign(process.env, {
    STAGE: 'local',
    AWS_REGION: stack.region,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: stack.dynamodbEndpoint,
  });
  return createTable({ tableName: stack.tableName });
}

async function listDeadLetters(): Promise<void> {
  const table = await findTable();
  let count = 0;
  for await (const { id, attempts, lastFailure, createdAt } of createJobRepository({ table }).eachDeadJob()) {
    console.log(`${id}  ${lastFailure ?? 'unknown'}  attempts ${attempts}  since ${createdAt}`);
    count += 1;
  }
  console.log(`${count} dead`);
}

async function redrive(targets: readonly string[]): Promise<void> {
  const jobs = createJobRepository({ table: await findTable() });
  const ids: string[] = [];
  const all = targets[0] === '--all';
  if (all) for await (const job of jobs.eachDeadJob()) ids.push(job.id);
  else ids.push(...targets);
  for (const id of ids) {
    // One that somebody else brought back meanwhile keeps none of the others from coming back.
    const isDue = await jobs.redriveJob(id).then(() => true, ifNotDead);
    console.log(isDue ? `${id} is due; the next sweep sends it` : `${id} is not dead`);
    if (!isDue && !all) process.exitCode = 1;
  }
}

function ifNotDead(error: unknown): false {
  if (error instanceof ConditionFailedError) return false;
  throw error;
}

async function rekey(): Promise<void> {
  const table = await findTable();
  const { LICENSE_PEPPERS: peppers, ENCRYPTION_KEYS: encryptionKeys } = readSettings(keySettings, await readKeys());
  const rekeying = createRekeying({
    table,
    licenses: createLicenseRepository({ table }),
    moves: createLicenseMoveRepository({ table }),
    replacedKeys: createReplacedKeyRepository({ table }),
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
  if (keySettings.every((name) => process.env[name])) return process.env;
  if (stage === 'local') return { ...(await readKeptSecrets(dataDirectory())), ...process.env };
  for (const name of keySettings) process.env[name] = `license-service/${stage}/${name}`;
  return { ...process.env, ...(await readSecrets(keySettings)) };
}

await runCommand(usage, async ([command, ...targets]) => {
  switch (command) {
    case 'redrive':
      if (targets.length === 0) throw new UsageError('Name the jobs to redrive, or --all.');
      if (targets.length > 1 && targets.includes('--all')) throw new UsageError('--all needs no job besides.');
      return redrive(targets);
    case 'dead-letters':
    case 'rekey':
      if (targets.length > 0) throw new UsageError(`${command} takes no argument, and got ${targets[0]}.`);
      return command === 'rekey' ? rekey() : listDeadLetters();
    case undefined:
      throw new UsageError('Name a command.');
    default:
      throw new UsageError(`There is no command ${command}.`);
  }
});
