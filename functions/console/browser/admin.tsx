import { AuditScreen } from './admin/audit/audit-screen.tsx';
import { JobsScreen } from './admin/jobs/jobs-screen.tsx';
import { OrderScreen } from './admin/orders/order-screen.tsx';
import { OrdersScreen } from './admin/orders/orders-screen.tsx';
import { ProductScreen } from './admin/products/product-screen.tsx';
import { QueueScreen } from './admin/queue/queue-screen.tsx';
import { ReleaseScreen } from './admin/releases/release-screen.tsx';
import { SellerScreen } from './admin/sellers/seller-screen.tsx';
import { startConsole } from './frame/app.tsx';
import { texts } from './frame/frame-texts.ts';
import { adminFailures } from './words/admin-failures.ts';
import { adminStates } from './words/admin-states.ts';
import { setRoleWords } from './words/words.ts';

setRoleWords({ states: adminStates, failures: adminFailures });
void startConsole({
  places: [
    { href: '/console/admin', text: texts.nav.queue },
    { href: '/console/admin/orders', text: texts.nav.orders },
    { href: '/console/admin/audit', text: texts.nav.audit },
    { href: '/console/admin/jobs', text: texts.nav.jobs },
  ],
  screens: {
    '/console/admin': QueueScreen,
    '/console/admin/sellers/:seller_id': SellerScreen,
    '/console/admin/products/:product_id': ProductScreen,
    '/console/admin/products/:product_id/releases/:version': ReleaseScreen,
    '/console/admin/orders': OrdersScreen,
    '/console/admin/orders/:order_id': OrderScreen,
    '/console/admin/audit': AuditScreen,
    '/console/admin/jobs': JobsScreen,
  },
});
