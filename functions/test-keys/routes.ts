import { endTestKey } from './end-test-key.ts';
import { listTestKeys } from './list-test-keys.ts';
import { mintTestKey } from './mint-test-key.ts';

export const routes = [mintTestKey, listTestKeys, endTestKey];
