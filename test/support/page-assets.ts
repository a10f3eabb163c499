import { createPageAssets } from '../../functions/pages/assets/assets.ts';
import { bundlePageAssets } from '../../infra/bundles/bundle-page-assets.ts';

/** What browsers load of the pages, made from the sources as they are now. */
export const pageAssets = createPageAssets(await bundlePageAssets());
