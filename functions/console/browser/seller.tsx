import { startConsole } from './frame/app.tsx';
import { say } from './frame/frame-texts.ts';
import { sellerFailures } from './words/seller-failures.ts';
import { sellerStates } from './words/seller-states.ts';
import { speakTo } from './words/words.ts';

const { nav } = say;

speakTo({ states: sellerStates, failures: sellerFailures });
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
