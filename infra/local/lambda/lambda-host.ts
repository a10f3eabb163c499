import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';

export interface LambdaOptions {
  name: string;
  /** The bundle's file, and the name it exports the handler under. */
  file: string;
  handler: string;
  /** A folder for what is compiled of it, which the next start loads. */
  compiled?: string;
  environment: Record<string, string>;
  timeoutSeconds: number;
  memoryMb: number;
  /** Takes each line that the function writes to its log; otherwise they are printed. */
  onLine?: (line: string) => void;
}

/** What goes to a thread, and what comes back. Events and results travel as JSON, as to and from Lambda. */
export interface Invocation {
  id: number;
  event: string;
  requestId: string;
  deadline: number;
}
export type ThreadMessage =
  | { started: true }
  | { started: false; failure: string }
  | { id: number; result: string }
  | { id: number; failure: string };

/** The function did not return a result: it did not start, threw, crashed or took too long. */
export class InvocationError extends Error {}

/** Most bytes of an event, and of a result. */
export const maxPayloadBytes = 6 * 1024 * 1024;

export type LambdaFunction = ReturnType<typeof createLambda>;

/**
 * A function in a worker thread of its own: its deployed bundle, its own environment,
 * its memory as heap limit, its timeout. The thread starts with the first invocation; one that crashed or timed out
 * is replaced by the next.
 */
export function createLambda(options: LambdaOptions) {
  let current: ReturnType<typeof startThread> | undefined;

  /** The thread new invocations go to: another one when the last was lost. */
  async function liveThread() {
    const seen = current;
    const thread = await seen?.catch(() => undefined);
    if (thread && !thread.isLost()) return thread;
    if (current === seen || current === undefined) current = startThread(options);
    return current;
  }

  return {
    name: options.name,

    /**
     * Invokes the function with JSON data.
     *
     * @throws InvocationError
     */
    async invoke(event: unknown): Promise<unknown> {
      const thread = await liveThread();
      const result = await thread.invoke(JSON.stringify(event));
      if (Buffer.byteLength(result) > maxPayloadBytes) throw new InvocationError(`${options.name} returned more than 6 MB.`);
      return JSON.parse(result);
    },

    async stop(): Promise<void> {
      await (await current?.catch(() => undefined))?.stop();
    },
  };
}

/** Loads the thread's module, and with it the bundle, as an earlier one compiled them. */
const startCompiled = `
  const { thread, compiled } = require('node:worker_threads').workerData;
  if (compiled) require('node:module').enableCompileCache(compiled);
  import(thread);
`;

type Waiting = { resolve: (result: string) => void; reject: (error: Error) => void; timer: NodeJS.Timeout };

/** Prints a line of a function's log. */
export const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function startThread({ name, file, handler, compiled, environment, timeoutSeconds, memoryMb, onLine = print }: LambdaOptions) {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let lost = false;
  const thread = new Worker(startCompiled, {
    eval: true,
    workerData: { file, name: handler, thread: join(import.meta.dirname, 'lambda-thread.ts'), compiled },
    env: { ...environment, AWS_LAMBDA_FUNCTION_NAME: name, AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb) },
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdout: true,
  });
  createInterface({ input: thread.stdout }).on('line', onLine);

  const finish = (id: number, act: (invocation: Waiting) => void) => {
    const invocation = waiting.get(id);
    if (!invocation) return;
    waiting.delete(id);
    clearTimeout(invocation.timer);
    act(invocation);
    if (lost && waiting.size === 0) void thread.terminate();
  };
  const loseAll = (reason: string) => {
    lost = true;
    for (const id of waiting.keys()) finish(id, ({ reject }) => reject(new InvocationError(`${name} ${reason}.`)));
  };

  const started = new Promise<void>((resolve, reject) => {
    thread.on('message', (message: ThreadMessage) => {
      if ('result' in message) finish(message.id, (invocation) => invocation.resolve(message.result));
      else if ('id' in message)
        finish(message.id, (invocation) => invocation.reject(new InvocationError(`${name} failed: ${message.failure}`)));
      else if (message.started) resolve();
      else {
        void thread.terminate();
        reject(new InvocationError(`${name} does not start: ${message.failure}`));
      }
    });
    thread.on('error', (error) => {
      loseAll(`crashed: ${error.message}`);
      reject(new InvocationError(`${name} crashed at start: ${error.message}`));
    });
    thread.on('exit', () => loseAll('ended in the middle of an invocation'));
  });
  await started;

  return {
    isLost: () => lost,

    invoke: (event: string) =>
      new Promise<string>((resolve, reject) => {
        lastId += 1;
        const id = lastId;
        const timer = setTimeout(() => {
          // Others that run in this thread may still finish; new ones go to a new thread.
          lost = true;
          finish(id, (invocation) => invocation.reject(new InvocationError(`${name} timed out after ${timeoutSeconds} s.`)));
        }, timeoutSeconds * 1000);
        waiting.set(id, { resolve, reject, timer });
        const invocation: Invocation = { id, event, requestId: randomUUID(), deadline: Date.now() + timeoutSeconds * 1000 };
        thread.postMessage(invocation);
      }),

    stop: async () => {
      await thread.terminate();
    },
  };
}
