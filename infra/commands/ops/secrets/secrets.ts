import { UsageError } from '../../command-line.ts';
import type { Command } from '../command.ts';
import { findSecretStore } from '../where.ts';
import { addEntry, promoteEntry, RotationError, retireEntry } from './key-list.ts';
import type { SecretStore } from './secret-store.ts';
import { isList, isWellFormed, newValue, type SecretName, secretNames } from './secret-values.ts';

/** Functions read their secrets again after five minutes; with as much again no two of them disagree. */
const settlingMinutes = 10;

/** How each move of a rotation changes a list. */
const moves = {
  add: async (name: SecretName, present: string) => addEntry(present, await newValue(name, present)),
  promote: async (_: SecretName, present: string) => promoteEntry(present),
  retire: async (_: SecretName, present: string) => retireEntry(present),
};
const isMove = (verb: string): verb is keyof typeof moves => verb in moves;

export const secrets: Command = {
  name: 'secrets',
  takes: '[set | (replace | add | promote | retire) <setting>]',
  does: 'tells which secrets are set; sets those that are not; rotates one',
  async run([verb, ...names]) {
    if (verb === undefined || (verb === 'set' && names.length === 0)) {
      return verb === 'set' ? setMissing(findSecretStore()) : tell(findSecretStore());
    }
    if (verb !== 'replace' && !isMove(verb)) throw new UsageError(`secrets takes set, replace, add, promote or retire, and got ${verb}.`);
    const [name, ...others] = names;
    const secret = secretNames.find((candidate) => candidate === name);
    if (secret === undefined || others.length > 0) throw new UsageError(`${verb} takes one of ${secretNames.join(', ')}.`);
    if (isMove(verb) && !isList(secret)) throw new UsageError(`${secret} has one value: replace it.`);
    const store = findSecretStore();
    return isMove(verb) ? rotate(store, secret, verb) : put(store, secret, await newValue(secret));
  },
};

/** Sets the exit code when a function would refuse one. */
async function tell(store: SecretStore): Promise<void> {
  for (const name of secretNames) {
    const value = await store.read(name);
    const isFit = isWellFormed(name, value);
    const kept = isList(name) && isFit ? `, ${value.split(',').length} kept` : '';
    console.log(`${name}: ${isFit ? 'set' : 'not set, or malformed'}${kept}`);
    if (!isFit) process.exitCode = 1;
  }
}

async function setMissing(store: SecretStore): Promise<void> {
  for (const name of secretNames) {
    if (isWellFormed(name, await store.read(name))) console.log(`${name}: set before`);
    else await put(store, name, await newValue(name));
  }
}

async function rotate(store: SecretStore, name: SecretName, move: keyof typeof moves): Promise<void> {
  const minutes = (Date.now() - Number((await store.changedAt(name)) ?? 0)) / 60_000;
  if (minutes < settlingMinutes) {
    throw new Error(
      `${name} was changed ${Math.floor(minutes)} minutes ago; wait until it is ${settlingMinutes}, so that every function knows it.`,
    );
  }
  try {
    await put(store, name, await moves[move](name, await store.read(name)));
  } catch (error) {
    throw error instanceof RotationError ? new Error(`${name} ${error.message}.`) : error;
  }
}

async function put(store: SecretStore, name: SecretName, value: string): Promise<void> {
  if (!isWellFormed(name, value)) throw new Error(`${name}: a function would refuse this value, so it was not set.`);
  await store.put(name, value);
  console.log(`${name}: set`);
}
