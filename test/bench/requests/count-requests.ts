import { describeInterface } from '../../support/interface/describe-interface.ts';
import type { Taken } from './path.ts';
import { goPaths } from './paths.ts';

/** How many requests each path makes to the table and which units they consume, beside what it may take. */
export async function countRequests(): Promise<Record<string, string | number>[]> {
  await describeInterface();
  const gone = await goPaths();
  if (gone.some(({ taken, budget }) => written(taken) !== written(budget))) process.exitCode = 1;
  return gone.map(({ name, answer, taken, budget }) => ({
    path: name,
    answer,
    requests: taken.requests,
    'read units': taken.reads,
    'write units': taken.writes,
    budget: written(budget),
    '': written(taken) === written(budget) ? '' : 'differs',
  }));
}

const written = ({ requests, reads, writes }: Taken) => `${requests}, ${reads} r, ${writes} w`;
