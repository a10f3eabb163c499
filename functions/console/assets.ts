import { type Assets, readAssets } from '../../shared/pages/assets.ts';

/** What browsers load, by the name it is served under, before its content is put into it. */
export const assetNames = [
  'seller-en.js',
  'seller-ja.js',
  'admin-en.js',
  'admin-ja.js',
  'hash-worker.js',
  'console.css',
  'icon.svg',
] as const;

export type AssetName = (typeof assetNames)[number];
export type ConsoleAssets = Assets<AssetName>;

/** Where browsers find them. */
export const assetsPath = '/console/assets';

/** Reads the assets that the build put beside the function's code. */
export const readConsoleAssets = (from: string): ConsoleAssets => readAssets(assetsPath, from, assetNames);
