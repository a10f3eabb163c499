import { randomBytes } from 'node:crypto';
import type { SettingName, SettingsOf } from './config.ts';
import type { Parts } from './context.ts';
import type { Logger } from './logging/logger.ts';
import type { JobSender } from './queue/job-sender.ts';

/** What reaches out of a function, as the one who starts it gives it. */
type Outside = Pick<Parts, 'table' | 'provider' | 'store' | 'partStore' | 'downloadSigner' | 'send'> & { sender: JobSender };

/** Time and chance, where nobody else says them. */
const machine = {
  now: (): Date => new Date(),
  random: (): number => Math.random(),
  randomBytes: (size: number): Buffer => randomBytes(size),
};
type Machine = typeof machine;
type GivenMachine = { [Chance in keyof Machine]?: Machine[Chance] | undefined };

/** What a function is started with: its settings, its logger, the parts that it names, and what tests decide in the place of the machine. */
export type Start<Names extends readonly SettingName[], Part extends keyof Outside = never> = Pick<Outside, Part> & {
  settings: SettingsOf<Names>;
  logger: Logger;
} & GivenMachine;

/** The context of a function that was started so. */
export function contextOf<Given extends GivenMachine>(start: Given): Omit<Given, keyof Machine> & Machine {
  const { now = machine.now, random = machine.random, randomBytes = machine.randomBytes, ...given } = start;
  return { ...given, now, random, randomBytes };
}

/** The same of one that sends jobs. */
export const jobContextOf = <Given extends GivenMachine & { sender: JobSender }>(start: Given) => ({
  ...contextOf(start),
  ...start.sender,
});
