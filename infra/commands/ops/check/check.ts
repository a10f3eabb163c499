import { createDynamoClient } from '../../../../shared/db/dynamo/sdk-dynamo.ts';
import { readOptions, UsageError } from '../../command-line.ts';
import type { Command } from '../command.ts';
import { createProgress } from '../progress.ts';
import { findTableName } from '../targets.ts';
import { checkTable, type Progress } from './check-table.ts';

/** See "Check" in README.md */
export const check: Command = {
  name: 'check',
  takes: '[--segments 4] [--rate 1000]',
  does: 'reads the whole table, and tells what does not agree in it',
  async run(args) {
    const text = (value: string) => ({ type: 'string', default: value }) as const;
    const given = readOptions('check', args, { segments: text('4'), rate: text('1000') });
    const segments = countIn('--segments', given.segments, 100);
    const unitsPerSecond = countIn('--rate', given.rate, 1_000_000);
    const tableName = await findTableName();
    const client = createDynamoClient({ maxAttempts: 10 });
    const progress = createProgress();
    const onProgress = (soFar: Progress) => progress(() => describe(soFar));
    const onFault = (fault: string) => console.log(fault);
    const summary = await checkTable({ client, tableName, segments, unitsPerSecond, onFault, onProgress });
    for (const [kind, count] of [...summary.counts].sort()) console.log(`${String(count).padStart(9)}  ${kind}`);
    console.log(describe(summary));
    if (summary.unsettled > 0) console.log(`${summary.unsettled} changed whenever they were looked at; run this again for them`);
    if (summary.faults > 0) process.exitCode = 1;
  },
};

const describe = ({ items, units, faults }: Progress) => `${items} items, ${Math.ceil(units)} read units, ${faults} faults`;

function countIn(option: string, value: string, max: number): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > max)
    throw new UsageError(`${option} is a number from 1 to ${max}, and is ${value}.`);
  return count;
}
