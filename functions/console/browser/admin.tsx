import { startConsole } from './frame/app.tsx';
import { say } from './frame/frame-texts.ts';
import { adminFailures } from './words/admin-failures.ts';
import { adminStates } from './words/admin-states.ts';
import { speakTo } from './words/words.ts';

const { nav } = say;

speakTo({ states: adminStates, failures: adminFailures });
void startConsole({
  places: [
    { href: '/console/admin', text: nav.queue },
    { href: '/console/admin/orders', text: nav.orders },
    { href: '/console/admin/audit', text: nav.audit },
    { href: '/console/admin/jobs', text: nav.jobs },
  ],
  screens: {},
});
