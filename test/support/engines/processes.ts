import { readdir, readFile } from 'node:fs/promises';

/** The command lines of all processes that name `text` in theirs, this one aside. */
export async function processesNaming(text: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && name !== String(process.pid));
  const commands = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return commands.map((command) => command.replaceAll('\0', ' ').trim()).filter((command) => command.includes(text));
}
