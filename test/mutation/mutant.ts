import { globSync, readFileSync, statSync } from 'node:fs';

/** A mistake of the kind that people make, planted to see whether a test notices. */
export interface Mutant {
  /** What goes wrong for users, in the present tense. */
  fault: string;
  /** A file, or a folder in which one file holds the code. */
  place: string;
  /** Text that occurs once there, however it is broken into lines, and what stands there instead. */
  code: string;
  mutant: string;
  /** Test files or folders of which at least one test fails. */
  tests: readonly string[];
  /** Why it may survive: what the mistake does not change, or what no test here can see. */
  survives?: string;
}

/** The file that holds a mutant's code, as it is and with the mistake in it. */
export interface Planted {
  file: string;
  source: string;
  planted: string;
}

/** @throws Error when the code is not there exactly once */
export function plant({ place, code, mutant }: Pick<Mutant, 'place' | 'code' | 'mutant'>): Planted {
  const anyBreaks = code.trim().split(/\s+/).map(escaped).join('\\s+');
  const found = filesAt(place).flatMap((file) => {
    const source = sourceOf(file);
    return [...source.matchAll(new RegExp(anyBreaks, 'g'))].map(({ index, 0: text }) => ({
      file,
      source,
      index,
      end: index + text.length,
    }));
  });
  const [only] = found;
  if (only === undefined || found.length > 1) throw new Error(`${place} holds this ${found.length} times, not once: ${code}`);
  const { file, source, index, end } = only;
  return { file, source, planted: source.slice(0, index) + mutant + source.slice(end) };
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const filesAt = remembered((place: string) =>
  statSync(place).isFile() ? [place] : globSync(`${place}/**/*.{ts,js,py,go,rs,java,html,css,mjs}`).toSorted(),
);
const sourceOf = remembered((file: string) => readFileSync(file, 'utf8'));

function remembered<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const made = known.get(name) ?? make(name);
    known.set(name, made);
    return made;
  };
}
