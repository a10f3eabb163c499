import { eachDeadJob } from '../../../shared/jobs/dead-job-repository.ts';
import { refuseArguments } from '../command-line.ts';
import type { Command } from './command.ts';
import { findTable } from './targets.ts';

export const deadLetters: Command = {
  name: 'dead-letters',
  does: 'lists the jobs that were given up',
  async run(args) {
    refuseArguments(args, 'dead-letters');
    let count = 0;
    for await (const { id, attempts, lastFailure, createdAt } of eachDeadJob(await findTable())) {
      console.log(`${id}  ${lastFailure ?? 'unknown'}  attempts ${attempts}  since ${createdAt}`);
      count += 1;
    }
    console.log(`${count} dead`);
  },
};
