import { startConsole } from './frame/app.tsx';
import { say } from './frame/frame-texts.ts';

const { nav } = say;

void startConsole({
  places: [
    { href: '/console/admin', text: nav.queue },
    { href: '/console/admin/orders', text: nav.orders },
    { href: '/console/admin/audit', text: nav.audit },
    { href: '/console/admin/jobs', text: nav.jobs },
  ],
  screens: {},
});
