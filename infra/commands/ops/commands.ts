import { UsageError } from '../command-line.ts';
import { check } from './check/check.ts';
import type { Command } from './command.ts';
import { deadLetters } from './dead-letters.ts';
import { empty } from './empty-queue.ts';
import { exportTable } from './export-table.ts';
import { prepareTable } from './prepare-table.ts';
import { reconcile } from './reconcile/reconcile.ts';
import { redrive } from './redrive.ts';
import { rekey } from './rekey.ts';
import { resendEvents } from './resend-events.ts';
import { secrets } from './secrets/secrets.ts';
import { smoke } from './smoke.ts';

/** In the order of the usage. */
const commands: readonly Command[] = [
  smoke,
  check,
  reconcile,
  secrets,
  rekey,
  deadLetters,
  redrive,
  empty,
  exportTable,
  prepareTable,
  resendEvents,
];

const callOf = ({ name, takes }: Command) => [name, takes].filter(Boolean).join(' ');
const width = Math.max(...commands.map((command) => callOf(command).length));

/** How `npm run ops` is called. */
export const usage = `Usage: npm run ops -- <command>
${commands.map((command) => `  ${callOf(command).padEnd(width)} ${command.does}`).join('\n')}

Works on the local stack that runs on DATA_DIR. In the cloud, STAGE and TABLE_NAME
say where, and the AWS credentials of the shell are used.`;

/** Runs the command that the first argument names. @throws UsageError when there is none such */
export async function runOps([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined) throw new UsageError('Name a command.');
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) throw new UsageError(`There is no command ${name}.`);
  await command.run(args);
}
