import { startConsole } from './frame/app.tsx';
import { say } from './frame/frame-texts.ts';

const { nav } = say;

void startConsole({
  places: [
    { href: '/console', text: nav.home },
    { href: '/console/products', text: nav.products },
    { href: '/console/orders', text: nav.orders },
    { href: '/console/webhooks', text: nav.webhooks },
    { href: '/console/tokens', text: nav.tokens },
    { href: '/console/seller', text: nav.seller },
  ],
  screens: {},
});
