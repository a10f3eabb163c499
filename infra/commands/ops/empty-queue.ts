import { createInterface } from 'node:readline/promises';
import { queueDefinitions } from '../../constructs/queues.ts';
import { UsageError } from '../command-line.ts';
import type { Command } from './command.ts';
import { deleteMessages, describeMessage, findDeadLetterQueue, receiveAll, returnMessages } from './dead-letter-queue.ts';
import { findQueues } from './targets.ts';

const queueIds = Object.values(queueDefinitions).map(({ id }) => id);

export const empty: Command = {
  name: 'empty',
  takes: '<queue> [--yes]',
  does: `shows what is in a dead-letter queue, asks, and removes what it showed: ${queueIds.join(', ')}`,
  async run([queueId = '', ...options]) {
    if (!queueIds.includes(queueId)) throw new UsageError(`Name the queue to empty: ${queueIds.join(', ')}.`);
    if (options.some((option) => option !== '--yes')) throw new UsageError(`empty takes --yes alone, and got ${options[0]}.`);
    await emptyQueue(queueId, options.length > 0);
  },
};

async function emptyQueue(queueId: string, isSure: boolean): Promise<void> {
  const { sqs, stage } = await findQueues();
  const queue = await findDeadLetterQueue(sqs, stage, queueId);
  const messages = await receiveAll(sqs, queue);
  for (const message of messages) console.log(describeMessage(message));
  console.log(`${messages.length} in the dead letters of ${queueId}`);
  if (messages.length === 0) return;
  const isWanted = isSure || (await confirm('Remove them? Their jobs are in the table, and stay there. (yes/no) '));
  await (isWanted ? deleteMessages : returnMessages)(sqs, queue, messages);
  console.log(isWanted ? `${messages.length} removed` : 'Nothing was removed');
}

/** Asks for confirmation on the terminal; without a terminal the answer is no. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return answer.trim() === 'yes';
}
