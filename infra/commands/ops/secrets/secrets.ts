import { parseArgs } from 'node:util';
import { readSettings } from '../../../../shared/config.ts';
import { UsageError } from '../../command-line.ts';
import type { Command } from '../command.ts';
import { addEntry, promoteEntry, RotationError, retireEntry, retiringEntry, versionOf, versionsIn } from './key-list.ts';
import { maxUseSeconds, requireUnused } from './retirement.ts';
import type { SecretStore, StoredSecret } from './secret-store.ts';
import {
  initialValue,
  isKeyring,
  isList,
  isOptional,
  isReplaceable,
  isWellFormed,
  newEntry,
  type SecretName,
  secretNames,
} from './secret-values.ts';
import { findSecretStore } from './stage-secrets.ts';

/** How each move of a rotation changes a list. */
const moves = {
  add: async (name: SecretName, present: string) => addEntry(present, await newEntry(name, present)),
  promote: async (_: SecretName, present: string) => promoteEntry(present),
  retire: async (_: SecretName, present: string) => retireEntry(present),
};
type Move = keyof typeof moves;
const isMove = (verb: string): verb is Move => verb in moves;

/** See "Rotate a key" in shared/crypto/README.md */
export const secrets: Command = {
  name: 'secrets',
  takes: '[set | (replace | add | promote | retire [--at-once]) <setting>]',
  does: 'tells which secrets are set; sets those that are not; rotates one',
  async run(args) {
    const { verb, names, atOnce } = readArguments(args);
    if (verb !== undefined && verb !== 'set' && verb !== 'replace' && !isMove(verb)) {
      throw new UsageError(`secrets takes set, replace, add, promote or retire, and got ${verb}.`);
    }
    if (atOnce && verb !== 'retire') throw new UsageError('--at-once is for retire alone.');
    if (verb === undefined) return tell(await findSecretStore());
    if (verb === 'set' && names.length === 0) return setMissing(await findSecretStore());
    const [name, ...others] = names;
    const secret = secretNames.find((candidate) => candidate === name);
    if (verb === 'set' || secret === undefined || others.length > 0) {
      throw new UsageError(verb === 'set' ? 'set takes no setting: it sets all.' : `${verb} takes one of ${secretNames.join(', ')}.`);
    }
    if (verb === 'replace') return replace(secret);
    if (!isList(secret)) throw new UsageError(`${secret} has one value: replace it.`);
    return rotate(secret, verb, atOnce);
  },
};

function readArguments(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options: { 'at-once': { type: 'boolean' } } });
    const [verb, ...names] = positionals;
    return { verb, names, atOnce: values['at-once'] ?? false };
  } catch {
    throw new UsageError(`secrets takes --at-once, and got ${args.filter((arg) => arg.startsWith('-')).join(' ')}.`);
  }
}

/** Sets the exit code when the service cannot work with what is there. */
async function tell(store: SecretStore): Promise<void> {
  for (const name of secretNames) {
    const { value, wasSet } = await store.read(name);
    const isFit = isWellFormed(name, value, store.stage);
    if (!wasSet && isOptional(name)) console.log(`${name}: nobody has set it, and the service works without`);
    else if (!wasSet) console.log(`${name}: not set`);
    else console.log(`${name}: ${isFit ? `set${entriesTold(name, value)}` : 'malformed'}`);
    if (!isFit && (wasSet || !isOptional(name))) process.exitCode = 1;
  }
}

function entriesTold(name: SecretName, value: string): string {
  if (!isList(name)) return '';
  const [first, ...others] = isKeyring(name) ? versionsIn(value) : value.split(',').map((_, index) => `entry ${index + 1}`);
  return `; ${first} is in use${others.length > 0 ? `, ${others.join(', ')} honoured as well` : ''}`;
}

async function setMissing(store: SecretStore): Promise<void> {
  for (const name of secretNames) {
    try {
      const stored = await store.read(name);
      const isFit = isWellFormed(name, stored.value, store.stage);
      // Another value would take the keys away under which something was made.
      if (stored.wasSet && !isFit) throw new Error(`${name} was set, and is malformed: bring back the version before, or mend it.`);
      if (isFit) console.log(`${name}: ${stored.wasSet ? 'set before' : 'as it was made, which will do'}`);
      else await put(store, name, await initialValue(name), stored);
    } catch (error) {
      console.error(error instanceof Error ? error.message : String(error));
      process.exitCode = 1;
    }
  }
}

async function replace(name: SecretName): Promise<void> {
  if (!isReplaceable(name)) {
    throw new UsageError(`${name} cannot be replaced at once, without loss of what its keys are for: add, promote, retire.`);
  }
  const store = await findSecretStore();
  const stored = await store.read(name);
  await put(store, name, await newEntry(name, ''), stored);
}

async function rotate(name: SecretName, move: Move, atOnce: boolean): Promise<void> {
  const store = await findSecretStore();
  const stored = await store.read(name);
  if (!stored.wasSet || !isWellFormed(name, stored.value, store.stage)) throw new Error(`${name} is not set; set it first.`);
  try {
    const retiring = move === 'retire' ? retiringEntry(stored.value) : undefined;
    demandPause(name, stored, retiring?.wasInUse && !atOnce ? (maxUseSeconds[name] ?? 0) : 0);
    if (retiring?.wasInUse) await requireUnused(name, versionOf(retiring.entry));
    await put(store, name, await moves[move](name, stored.value), stored);
  } catch (error) {
    throw error instanceof RotationError ? new Error(`${name} ${error.message}.`) : error;
  }
}

/** @throws Error until every function knows the last change, and `lastUseSeconds` have passed since. */
function demandPause(name: SecretName, { changedAt }: StoredSecret, lastUseSeconds: number): void {
  // With as much again as they keep a secret no two functions disagree.
  const settling = 2 * readSettings(['SECRETS_SECONDS']).SECRETS_SECONDS;
  const until = new Date(changedAt.getTime() + (settling + lastUseSeconds) * 1000);
  if (until <= new Date()) return;
  const reason =
    lastUseSeconds > 0 ? 'what the old key was used for has ended (--at-once: it is refused from now on)' : 'every function knows that';
  throw new Error(`${name} was changed at ${changedAt.toISOString()}; wait until ${until.toISOString()}, when ${reason}.`);
}

async function put(store: SecretStore, name: SecretName, value: string, stored: StoredSecret): Promise<void> {
  if (!isWellFormed(name, value, store.stage)) throw new Error(`${name}: a function would refuse this value, so it was not set.`);
  const version = await store.put(name, value, stored);
  console.log(`${name}: set${entriesTold(name, value)} (version ${version})`);
}
