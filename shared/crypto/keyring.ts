import { createSecretKey, type KeyObject } from 'node:crypto';

export interface VersionedKey {
  readonly version: string;
  /** Of 32 bytes. Made a key once: for each hash anew, that takes longer than the hash. */
  readonly secret: KeyObject;
}

const entryForm = /^([a-z0-9]{1,8}):([A-Za-z0-9_-]{43}=?|[A-Za-z0-9+/]{43}=)$/;

/**
 * A rotating secret: the current key and older ones that are still honoured.
 *
 * Its text form is `version:base64` entries of 32 bytes each, separated by commas,
 * the current one first: `2:…,1:…`.
 */
export class Keyring {
  readonly current: VersionedKey;
  /** Every key, current first. */
  readonly all: readonly VersionedKey[];

  private constructor(current: VersionedKey, older: readonly VersionedKey[]) {
    this.current = current;
    this.all = [current, ...older];
  }

  static isWellFormed(text: string): boolean {
    const entries = text.split(',').map((entry) => entry.trim());
    const versions = entries.map((entry) => entry.split(':')[0]);
    return entries.every((entry) => entryForm.test(entry)) && new Set(versions).size === entries.length;
  }

  /** @throws Error when the text is not well-formed; the message does not show it. */
  static parse(text: string): Keyring {
    const [current, ...older] = text.split(',').flatMap((entry) => {
      const match = entryForm.exec(entry.trim());
      return match?.[1] && match[2] ? [{ version: match[1], secret: createSecretKey(match[2], 'base64') }] : [];
    });
    if (!current) {
      throw new Error('A keyring needs at least one entry.');
    }
    return new Keyring(current, older);
  }

  /** The key of this version, or undefined when it was retired. */
  find(version: string): VersionedKey | undefined {
    return this.all.find((key) => key.version === version);
  }
}
