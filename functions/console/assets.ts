import { type Assets, readAssets } from '../../shared/page-delivery/assets.ts';

/** What scripts load themselves. Parts of two versions do not fit each other. */
export const chunkNames = ['seller-base-en.js', 'seller-base-ja.js', 'seller-late-en.js', 'seller-late-ja.js'] as const;

/** What browsers load, by the name it is served under, before its content is put into it. */
export const assetNames = [
  'seller-en.js',
  'seller-ja.js',
  'admin-en.js',
  'admin-ja.js',
  ...chunkNames,
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
