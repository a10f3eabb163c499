import { checkUpdate } from './check-update.ts';
import { getAppcast } from './get-appcast.ts';
import { getElectronFeed } from './get-electron-feed.ts';
import { getTauriUpdate } from './get-tauri-update.ts';
import { getUpdateFile } from './get-update-file.ts';
import { getVelopackFile } from './get-velopack-file.ts';

export const routes = [checkUpdate, getAppcast, getTauriUpdate, getElectronFeed, getVelopackFile, getUpdateFile];
