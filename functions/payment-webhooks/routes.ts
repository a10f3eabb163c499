import { receiveConnectEvent } from './receive-connect-event.ts';
import { receivePlatformEvent } from './receive-platform-event.ts';

export const routes = [receivePlatformEvent, receiveConnectEvent];
