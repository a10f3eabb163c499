import { getHealthz } from './get-healthz.ts';
import { getReadyz } from './get-readyz.ts';

export const routes = [getHealthz, getReadyz];
