import { readFileSync, writeFileSync } from 'node:fs';

const field = (pid: number, name: string) => {
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
};

/** Measures by how many bytes a process's resident memory grows, at its peak. Linux only. */
export function watchMemory(pid: number): { growth(): number } {
  writeFileSync(`/proc/${pid}/clear_refs`, '5'); // resets the peak
  const before = field(pid, 'VmRSS');
  return { growth: () => field(pid, 'VmHWM') - before };
}
