import type { Screens } from '../frame/loaded.tsx';
import { CodesScreen } from './codes/codes-screen.tsx';
import { DiscountsScreen } from './discounts/discounts-screen.tsx';
import { FilesScreen } from './files/files-screen.tsx';
import { ReleaseScreen } from './releases/release-screen.tsx';
import { ReleasesScreen } from './releases/releases-screen.tsx';
import { TokensScreen } from './tokens/tokens-screen.tsx';
import { Webhook } from './webhooks/webhook.tsx';
import { Webhooks } from './webhooks/webhooks.tsx';

/** Those that not every visit is for. They come in a script of their own, with the first of them. */
export const screens: Screens = {
  '/console/products/:product_id/files': FilesScreen,
  '/console/products/:product_id/codes': CodesScreen,
  '/console/products/:product_id/discounts': DiscountsScreen,
  '/console/products/:product_id/releases': ReleasesScreen,
  '/console/products/:product_id/releases/:version': ReleaseScreen,
  '/console/webhooks': Webhooks,
  '/console/webhooks/:endpoint_id': Webhook,
  '/console/tokens': TokensScreen,
};
