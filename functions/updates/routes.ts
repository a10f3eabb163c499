import { checkUpdateRoute } from './check-update.ts';
import { getAppcastRoute } from './get-appcast.ts';
import { getElectronFeedRoute } from './get-electron-feed.ts';
import { getTauriUpdateRoute } from './get-tauri-update.ts';
import { getUpdateFileRoute } from './get-update-file.ts';
import { getVelopackFileRoute } from './get-velopack-file.ts';

export const routes = [
  checkUpdateRoute,
  getAppcastRoute,
  getTauriUpdateRoute,
  getElectronFeedRoute,
  getVelopackFileRoute,
  getUpdateFileRoute,
];
