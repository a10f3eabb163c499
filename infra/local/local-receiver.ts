import { setTimeout as sleep } from 'node:timers/promises';
import type { LocalRequest } from './gateway/api-gateway.ts';
import { type HttpReply, jsonReply } from './http-reply.ts';

/** A request that the receiver got, as `GET /__local/receiver` tells it. */
export interface ReceivedRequest {
  path: string;
  received_at: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const path = '/__local/receiver';
const kept = 100;
const maxBodyBytes = 64 * 1024;
const maxDelayMs = 60_000;

export type LocalReceiver = ReturnType<typeof createLocalReceiver>;

/**
 * Takes what is posted to a path below `/__local/receiver`, such as events to an endpoint of a seller, and keeps the
 * last hundred in memory. `?status=500` answers so instead of 200, `?delay=15000` after so many milliseconds.
 */
export function createLocalReceiver({ now = () => new Date() }: { now?: (() => Date) | undefined } = {}) {
  const received: ReceivedRequest[] = [];

  return {
    /** The oldest first. */
    list: (): readonly ReceivedRequest[] => received,

    /** Undefined for what is not the receiver's. */
    async answer({ method, path: asked, query, headers, body }: LocalRequest): Promise<HttpReply | undefined> {
      if (asked === path && (method === 'GET' || method === 'HEAD')) return jsonReply({ items: received });
      if (method !== 'POST' || !asked.startsWith(`${path}/`)) return undefined;
      const status = Number(/^[2-5]\d\d$/.exec(query.get('status') ?? '')?.[0] ?? 200);
      const delay = Number(/^\d{1,6}$/.exec(query.get('delay') ?? '')?.[0] ?? 0);
      received.push({ path: asked, received_at: now().toISOString(), status, headers, body: body.toString('utf8', 0, maxBodyBytes) });
      received.splice(0, received.length - kept);
      if (delay > 0) await sleep(Math.min(delay, maxDelayMs), undefined, { ref: false });
      return jsonReply({}, status);
    },
  };
}
