import { getConsoleConfigRoute } from './get-config.ts';
import { getConsoleAssetRoute } from './get-console-asset.ts';
import { showConsoleRoute, showScreenRoute } from './show-shell.ts';

export const routes = [showConsoleRoute, showScreenRoute, getConsoleConfigRoute, getConsoleAssetRoute];
