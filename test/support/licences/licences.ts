import { runInNewContext } from 'node:vm';
import * as z from 'zod/mini';

const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ license: z.optional(z.string()), optional: z.optional(z.boolean()), dev: z.optional(z.boolean()) }),
  ),
});

/** Licences that ask for no more than to be named. */
const permissive = [
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'CC-BY-4.0'],
  ...['ISC', 'MIT', 'MIT-0', 'PSF-2.0', 'Python-2.0', 'Unlicense', 'Zlib'],
];

/** Tools under a licence that binds changes of their own files alone, and that nothing of ours is made from. */
const accepted: Readonly<Record<string, string>> = { 'axe-core': 'MPL-2.0' };

/**
 * In a line each, the packages of a lock file whose licence is not known to be permissive: copyleft, none, or one to
 * look at first. Of a choice (`MIT OR GPL-2.0-only`) one has to be; of several at once (`AND`) all.
 *
 * @param declared the licence that an installed package names, by its path in the lock file, where that has none
 */
export function bindingLicences(lock: unknown, declared: (path: string) => string | undefined): string[] {
  const packages = Object.entries(z.parse(Lock, lock).packages).filter(([path]) => path.startsWith('node_modules/'));
  return packages.flatMap(([path, { license = declared(path), optional, dev }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    // The same package for other machines, which is not here to be read.
    if (license === undefined && optional) return [];
    const isAccepted = isPermissive(license ?? '') || (dev && license !== undefined && accepted[name] === license);
    return isAccepted ? [] : [`${name}: ${license ?? 'no licence'}`];
  });
}

/** Expressions of SPDX are written as JavaScript's are: `AND` binds more than `OR`. What is no expression is not permissive. */
function isPermissive(expression: string): boolean {
  const words: Readonly<Record<string, string>> = { AND: '&&', OR: '||' };
  const condition = expression.replace(/[^\s()]+/g, (word) => words[word] ?? String(permissive.includes(word)));
  try {
    return runInNewContext(condition) === true;
  } catch {
    return false;
  }
}
