import { receiveConnectEventRoute } from './receive-connect-event.ts';
import { receivePlatformEventRoute } from './receive-platform-event.ts';

export const routes = [receivePlatformEventRoute, receiveConnectEventRoute];
