import { getConsoleConfig } from './get-config.ts';
import { getConsoleAsset } from './get-console-asset.ts';
import { showConsole, showScreen } from './show-shell.ts';

export const routes = [showConsole, showScreen, getConsoleConfig, getConsoleAsset];
