import { ConditionFailedError } from '../../../shared/db/table.ts';
import { eachDeadJob, redriveDeadJob } from '../../../shared/jobs/dead-job-repository.ts';
import { UsageError } from '../command-line.ts';
import type { Command } from './command.ts';
import { findTable } from './targets.ts';

export const redrive: Command = {
  name: 'redrive',
  takes: '<job id>...|--all',
  does: 'makes them due again, with all their attempts before them',
  async run(targets) {
    if (targets.length === 0) throw new UsageError('Name the jobs to redrive, or --all.');
    if (targets.length > 1 && targets.includes('--all')) throw new UsageError('--all needs no job besides.');
    await redriveJobs(targets);
  },
};

async function redriveJobs(targets: readonly string[]): Promise<void> {
  const jobsContext = { table: await findTable(), now: () => new Date() };
  const ids: string[] = [];
  const all = targets[0] === '--all';
  if (all) for await (const job of eachDeadJob(await findTable())) ids.push(job.id);
  else ids.push(...targets);
  for (const id of ids) {
    // One that somebody else brought back meanwhile keeps none of the others from coming back.
    const isDue = await redriveDeadJob(jobsContext, id).then(() => true, ifNotDead);
    console.log(isDue ? `${id} is due; the next sweep sends it` : `${id} is not dead`);
    if (!isDue && !all) process.exitCode = 1;
  }
}

function ifNotDead(error: unknown): false {
  if (error instanceof ConditionFailedError) return false;
  throw error;
}
