import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string | undefined>();

/** Runs what a request, or a job that a request caused, makes happen: its log lines and its jobs carry the request's id. */
export const runWithRequestId = <Result>(requestId: string | undefined, run: () => Result): Result => current.run(requestId, run);

/** The id of the request that this is done for; undefined where none is known. */
export const currentRequestId = (): string | undefined => current.getStore();
