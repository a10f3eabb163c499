import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { Call, Operation } from '../access/call.ts';
import { type Guard, GuardError } from '../access/guard.ts';
import { type Engine, serve } from '../engines/engine.ts';

export interface JsonService {
  /** As it is called in the scope of a signature. */
  service: string;
  /** Status of the reply to who may not. */
  deniedStatus: number;
  /** What an operation does to which resources. */
  callsOf: (operation: Operation) => readonly Call[];
  answer: (operation: Operation, message: IncomingMessage, body: Buffer, response: ServerResponse) => void;
  /** By default any that is free. */
  port?: number;
}

const Input = z.record(z.string(), z.unknown());

/** A server in front of which the guard stands. */
export async function startJsonService(
  { service, deniedStatus, callsOf, answer, port: given }: JsonService,
  guard: Guard,
): Promise<Engine> {
  async function handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(message);
    let operation: Operation | undefined;
    guard.authorize(service, message, body, () => {
      operation = operationOf(message, body);
      return callsOf(operation);
    });
    if (operation) answer(operation, message, body, response);
  }

  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    handle(message, response).catch((error: unknown) => {
      if (message.destroyed && !message.complete) return;
      if (error instanceof GuardError) sendError(response, error.code, error.message, deniedStatus);
      else sendError(response, 'SerializationException', 'The request cannot be read.', 400);
    });
  });
  return serve(server, given);
}

function operationOf({ headers }: IncomingMessage, body: Buffer): Operation {
  const [, name = ''] = String(headers['x-amz-target'] ?? '').split('.');
  return { name, input: z.parse(Input, JSON.parse(body.toString('utf8'))) };
}

export function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0', 'Content-Length': Buffer.byteLength(text), ...headers })
    .end(text);
}

/** As services say it that speak JSON; the header is for clients that once spoke XML. */
export function sendError(response: ServerResponse, code: string, message: string, status = 400): void {
  const inQueryProtocol = { 'x-amzn-query-error': `${code.replace(/Exception$/, '')};Sender`, 'x-amzn-errortype': code };
  sendJson(response, status, { __type: `com.amazon.coral.service#${code}`, message }, inQueryProtocol);
}
