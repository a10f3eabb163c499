const everyMs = 5000;

/** Says on the error output how far a long command is, once in five seconds at most. */
export function createProgress({ say = console.error, now = Date.now }: { say?: (line: string) => void; now?: () => number } = {}) {
  let toldAt = now();
  return (describe: () => string): void => {
    if (now() - toldAt < everyMs) return;
    toldAt = now();
    say(describe());
  };
}
