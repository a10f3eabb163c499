/** How many milliseconds of the processor an act takes, however much else there is to do. */
export function processorMs(act: () => void): number {
  const before = process.cpuUsage();
  act();
  return process.cpuUsage(before).user / 1000;
}
