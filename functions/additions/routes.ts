import { createAddition } from './create-addition.ts';
import { createUpgrade } from './create-upgrade.ts';

export const routes = [createAddition, createUpgrade];
