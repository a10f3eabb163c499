import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

type ProjectConfig = ConstructorParameters<typeof ModernFakeTimers>[0]['config'];

/** What jest-circus leaves at the global object, for one file each. */
const stateOfCircus = ['EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL', 'RETRY_TIMES', 'RETRY_TIMES_SETTER'].map((name) => Symbol.for(name));

/** In bytes: above it the garbage is collected after a file. */
const mostHeap = 350e6;
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const { memoryUsage } = process;
// jest asks for the heap before it begins a worker anew; what the machine has to hold is more.
process.memoryUsage = Object.assign(() => ({ ...memoryUsage(), heapUsed: memoryUsage.rss() }), { rss: memoryUsage.rss });

/** A test environment in the worker's own realm: files share the packages Node loaded, so they must share its globals. */
export default class OneRealmEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern: ModernFakeTimers;
  readonly #restore = rememberProcess();

  constructor({ projectConfig }: { projectConfig: ProjectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup(): Promise<void> {}

  /** jest finds the line of a failure by the path of its file alone. */
  handleTestEvent({ error }: { error?: unknown }): void {
    for (let each = error; each instanceof Error; each = each.cause) {
      if (each.stack !== undefined) each.stack = each.stack.replaceAll(/\?run=\d+/g, '');
    }
  }

  async teardown(): Promise<void> {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    for (const symbol of stateOfCircus) Reflect.deleteProperty(globalThis, symbol);
    this.#restore();
    if (memoryUsage().heapUsed > mostHeap) collectGarbage();
    // Else all that was compiled is written when the worker ends, which jest does not wait for.
    flushCompileCache();
  }

  exportConditions(): string[] {
    return ['node', 'node-addons'];
  }

  getVmContext(): null {
    return null;
  }
}

/** Returns what puts the process back, so that each file finds it as the first one did. */
function rememberProcess(): () => void {
  const { env, exit, getBuiltinModule } = process;
  const variables = { ...env };
  const { console } = globalThis;
  const listenersOf = (name: string | symbol) => process.listeners(name as 'exit');
  const known = new Map(process.eventNames().map((name) => [name, listenersOf(name)]));
  return () => {
    Object.assign(process, { env, exit, getBuiltinModule });
    for (const name of Object.keys(env)) if (!(name in variables)) delete env[name];
    Object.assign(env, variables);
    globalThis.console = console;
    for (const name of process.eventNames()) {
      for (const listener of listenersOf(name)) if (!known.get(name)?.includes(listener)) process.off(name, listener);
    }
  };
}
