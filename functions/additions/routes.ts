import { createAdditionRoute } from './create-addition.ts';
import { createUpgradeRoute } from './create-upgrade.ts';

export const routes = [createAdditionRoute, createUpgradeRoute];
