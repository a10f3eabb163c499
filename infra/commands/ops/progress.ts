const everyMs = 5000;

/** Prints the progress of a long command to standard error, at most every five seconds. */
export function createProgress({ say = console.error, now = Date.now }: { say?: (line: string) => void; now?: () => number } = {}) {
  let printedAt = now();
  return (describe: () => string): void => {
    if (now() - printedAt < everyMs) return;
    printedAt = now();
    say(describe());
  };
}
