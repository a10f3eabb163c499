import { randomBytes } from 'node:crypto';
import type { SettingName, SettingsOf } from './config.ts';
import type { Parts } from './context.ts';
import type { Logger } from './logging/logger.ts';
import type { JobSender } from './queue/job-sender.ts';

/** What reaches out of a function, as the one who starts it gives it. */
type Outside = Pick<Parts, 'table' | 'provider' | 'store' | 'partStore' | 'downloadSigner' | 'send'> & { sender: JobSender };

type Makers = typeof import('./function-parts.ts');
export type PartName = keyof Makers;
type MadeBy<Name extends PartName> = Name extends PartName ? keyof ReturnType<Makers[Name]> : never;

/** Time and chance, where nobody else says them. */
const machine = {
  now: (): Date => new Date(),
  random: (): number => Math.random(),
  randomBytes: (size: number): Buffer => randomBytes(size),
};
type Machine = typeof machine;
type GivenMachine = { [Chance in keyof Machine]?: Machine[Chance] | undefined };

/** What the `declaration.ts` of a function says of its start. */
interface Declaration {
  settingNames: readonly SettingName[];
  parts?: readonly PartName[];
}

/** What a function is started with: its settings, its logger, the parts that it declares, and what tests decide in the place of the machine. */
export type Start<Declared extends Declaration> = Pick<
  Outside,
  Declared extends { parts: readonly (infer Name extends PartName)[] } ? MadeBy<Name> : never
> & { settings: SettingsOf<Declared['settingNames']>; logger: Logger } & GivenMachine;

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
