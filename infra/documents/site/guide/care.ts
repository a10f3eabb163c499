import { html } from '../../../../shared/html.ts';
import type { Section } from './section.ts';

export const care: Section = {
  id: 'care',
  title: 'With care',
  body: html`<ul>
<li>The license key is the buyer’s property and secret: keep it in the system’s key store, and out of logs, crash reports, analytics and addresses. Show its last four symbols only.</li>
<li>Use <code>features</code> to switch parts of the app on. They are those of the day of the sale; a later change of the product does not take them away.</li>
<li>Ignore fields you do not know. New ones may come within version 1; none will change its meaning or leave.</li>
<li>Check the server’s certificate as your platform does by default, and do not follow redirects to another host.</li>
<li>Nothing that runs on the user’s machine can be made safe against its owner. Spend your effort on never being in the way of the honest.</li>
<li>When you write to us, name the <code>X-Request-Id</code> of the reply. It tells us everything, and nothing about the user.</li>
</ul>`,
};
