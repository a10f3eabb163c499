import { describe, expect, test } from '@jest/globals';
import { createShutdown } from '../../infra/local/shutdown.ts';

/** A service that notes its name when it is stopped. */
const service = (name: string, stopped: string[], ending: () => Promise<void> = async () => {}) => ({
  async stop() {
    stopped.push(name);
    await ending();
  },
});

describe('the shutdown of the local stack', () => {
  test('stops the last that was started first, and each once', async () => {
    const stopped: string[] = [];
    const { register, stop } = createShutdown();
    for (const name of ['table', 'functions', 'gateway']) register(service(name, stopped));
    await stop();
    await stop();
    expect(stopped).toEqual(['gateway', 'functions', 'table']);
  });

  test('goes on when one fails to stop, or does not come to an end', async () => {
    const stopped: string[] = [];
    const { register, stop } = createShutdown();
    register(service('table', stopped));
    register(service('queues', stopped, () => Promise.reject(new Error('stuck'))));
    register(service('gateway', stopped, () => new Promise(() => {})));
    await stop();
    expect(stopped).toEqual(['gateway', 'queues', 'table']);
  });

  test('ends a start that was interrupted, with what was started meanwhile', async () => {
    const stopped: string[] = [];
    const interruption = new AbortController();
    const { register, stop } = createShutdown(interruption.signal);
    interruption.abort();
    expect(() => register(service('table', stopped))).toThrow();
    await stop();
    expect(stopped).toEqual(['table']);
  });
});
