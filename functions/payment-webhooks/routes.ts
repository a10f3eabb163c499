import { receiveConnectEvent } from './receive-connect-event.ts';
import type { ReceiveEvent } from './receive-event.ts';
import { receivePlatformEvent } from './receive-platform-event.ts';

export interface WebhookServices {
  receiveEvent: ReceiveEvent;
  platformSecrets: readonly string[];
  connectSecrets: readonly string[];
  now: () => Date;
}

export const routes = [receivePlatformEvent, receiveConnectEvent];
