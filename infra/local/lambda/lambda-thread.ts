/**
 * Runs inside the worker thread of one function: loads its bundle as the Lambda
 * runtime does, then answers invocations. What the handler leaves uncaught ends the
 * thread, as it would end the function's sandbox.
 */
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Invocation, ThreadMessage } from './lambda-host.ts';

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const post = (message: ThreadMessage) => parentPort?.postMessage(message);

async function loadHandler(): Promise<Handler> {
  const { file, name } = workerData;
  const { [name]: exported }: Record<string, Handler | undefined> = await import(pathToFileURL(file).href);
  if (typeof exported !== 'function') throw new Error(`${file} does not export ${name}.`);
  return exported;
}

async function answer(handler: Handler, { id, event, requestId, deadline }: Invocation): Promise<void> {
  const context = {
    awsRequestId: requestId,
    functionName: process.env['AWS_LAMBDA_FUNCTION_NAME'],
    memoryLimitInMB: process.env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
  try {
    const result = await handler(JSON.parse(event), context);
    post({ id, result: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    post({ id, failure: error instanceof Error ? error.message : String(error) });
  }
}

try {
  const handler = await loadHandler();
  parentPort?.on('message', (invocation: Invocation) => void answer(handler, invocation));
  post({ started: true });
} catch (error) {
  post({ started: false, failure: error instanceof Error ? error.message : String(error) });
}
