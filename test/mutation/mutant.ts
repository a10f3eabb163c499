/** A mistake of the kind that people make, planted to see whether a test notices. */
export interface Mutant {
  /** What goes wrong for users, in the present tense. */
  fault: string;
  file: string;
  /** Text that occurs once in the file, and what stands there instead. */
  code: string;
  mutant: string;
  /** Test files or folders of which at least one test fails. */
  tests: readonly string[];
  /** Why it may survive: what the mistake does not change, or what no test here can see. */
  survives?: string;
}

/** `source` with the mistake in it. @throws Error when the code is not there exactly once */
export function plant({ file, code, mutant }: Mutant, source: string): string {
  const parts = source.split(code);
  if (parts.length !== 2) throw new Error(`${file} holds this ${parts.length - 1} times, not once: ${code}`);
  return parts.join(mutant);
}
