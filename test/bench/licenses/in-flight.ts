/**
 * Does `work` for 0 to `times` - 1, always `atOnce` of them in flight while there are as many left.
 * The seconds that all of it took.
 */
export async function runInFlight(times: number, atOnce: number, work: (index: number) => Promise<void>): Promise<number> {
  const began = performance.now();
  let next = 0;
  const runInTurn = async () => {
    while (next < times) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runInTurn));
  return (performance.now() - began) / 1000;
}
