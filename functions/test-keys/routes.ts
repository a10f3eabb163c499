import { endTestKeyRoute } from './end-test-key.ts';
import { listTestKeysRoute } from './list-test-keys.ts';
import { mintTestKeyRoute } from './mint-test-key.ts';

export const routes = [mintTestKeyRoute, listTestKeysRoute, endTestKeyRoute];
