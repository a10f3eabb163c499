import { setTimeout } from 'node:timers/promises';

/** Makes a move of a rotation; where it was told in `textOf` to wait, again once the time has come. */
export async function makeMove<Outcome>(make: () => Promise<Outcome>, textOf: (outcome: Outcome) => string): Promise<Outcome> {
  const outcome = await make();
  const [, until] = /wait until (\S+), when every function knows that\.$/.exec(textOf(outcome)) ?? [];
  if (until === undefined) return outcome;
  await setTimeout(Date.parse(until) - Date.now());
  return make();
}
