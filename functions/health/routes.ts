import { getHealthzRoute } from './get-healthz.ts';
import { getReadyzRoute } from './get-readyz.ts';

export const routes = [getHealthzRoute, getReadyzRoute];
