import { startConsole } from './frame/app.tsx';
import { texts } from './frame/frame-texts.ts';
import { AccountScreen } from './seller/account/account-screen.tsx';
import { HomeScreen } from './seller/home/home-screen.tsx';
import { Order } from './seller/orders/order.tsx';
import { Orders } from './seller/orders/orders.tsx';
import { NewProductScreen } from './seller/products/new-product-screen.tsx';
import { ProductListScreen } from './seller/products/product-list-screen.tsx';
import { ProductScreen } from './seller/products/product-screen.tsx';
import { sellerFailures } from './words/seller-failures.ts';
import { sellerStates } from './words/seller-states.ts';
import { setRoleWords } from './words/words.ts';

setRoleWords({ states: sellerStates, failures: sellerFailures });
void startConsole({
  places: [
    { href: '/console', text: texts.nav.home },
    { href: '/console/products', text: texts.nav.products },
    { href: '/console/orders', text: texts.nav.orders },
    { href: '/console/webhooks', text: texts.nav.webhooks },
    { href: '/console/tokens', text: texts.nav.tokens },
    { href: '/console/seller', text: texts.nav.seller },
  ],
  screens: {
    '/console': HomeScreen,
    '/console/seller': AccountScreen,
    '/console/products': ProductListScreen,
    '/console/products/new': NewProductScreen,
    '/console/products/:product_id': ProductScreen,
    '/console/orders': Orders,
    '/console/orders/:order_id': Order,
  },
  loadLate: () => import('./seller/late-screens.ts'),
});
