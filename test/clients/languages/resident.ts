import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { driverEnvironment } from '../conformance/driver.ts';
import type { Driver } from './language.ts';

interface Answer {
  id: number;
  printed?: string;
  failure?: string;
}

/** A driver that stays: it reads calls and writes answers, a line of JSON each. For what takes longer to start than to run. */
export function startResident([file = '', ...args]: readonly string[]): Driver {
  const child = spawn(file, args, { env: driverEnvironment(), stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, PromiseWithResolvers<string>>();
  const ended = once(child, 'close');
  createInterface(child.stdout).on('line', (line) => {
    const { id, printed, failure }: Answer = JSON.parse(line);
    if (printed === undefined) waiting.get(id)?.reject(new Error(failure));
    else waiting.get(id)?.resolve(printed);
    waiting.delete(id);
  });
  child.on('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`The driver ended with ${code}.`));
  });
  let calls = 0;
  return {
    async run(args, env = {}) {
      const answer = Promise.withResolvers<string>();
      waiting.set(++calls, answer);
      child.stdin.write(`${JSON.stringify({ id: calls, arguments: args, env })}\n`);
      return JSON.parse(await answer.promise);
    },
    async stop() {
      child.kill();
      await ended;
    },
  };
}
