import { html } from '../../../../shared/html.ts';
import { codesTable } from '../runtime-codes.ts';
import type { Section } from './section.ts';

export const answers: Section = {
  id: 'codes',
  title: 'What the answers mean',
  body: html`<p>A business “no” is an ordinary answer: status 200, <code>valid: false</code>, and the reason in <code>code</code>.
Decide whether to run by <code>valid</code>, and what to say by <code>code</code>. A code you do not know may come one day; go by <code>valid</code> then.</p>
${codesTable()}
<p><code>deactivate</code> answers in every state of the license; its <code>valid</code> tells whether the license itself may still be used.</p>
<p>Other statuses are not an answer about the license:</p>
<div class="scroll" tabindex="0" role="group" aria-label="Answers that are not about the license">
<table>
<thead><tr><th scope="col">Status and code</th><th scope="col">What it means</th><th scope="col">What your app does</th></tr></thead>
<tbody>
<tr><th scope="row">409 <code>activation_limit_exceeded</code></th><td>Every seat is taken by another device.</td><td>Lead the user to <code>https://api.example.com/manage</code>, the buyer’s own page: there devices that are lost, or no longer used, are released.</td></tr>
<tr><th scope="row">400 <code>deactivation_not_allowed</code></th><td>The terms of this license do not let a seat be freed.</td><td>Say so. Do not offer it again for this license.</td></tr>
<tr><th scope="row">400, any other code</th><td>The request is malformed: a fault of the app, or a field left blank.</td><td>Do not lock and do not repeat it unchanged. Report it to yourself; <code>message</code> names the field.</td></tr>
<tr><th scope="row">413, 429, 500, 502, 503, 504, or no reply</th><td>We cannot be reached just now.</td><td>Go on as you did, and try again later; not before <code>Retry-After</code> where there is one.</td></tr>
<tr><th scope="row">Anything that is not JSON with a boolean <code>valid</code></th><td>It is not from us: a captive portal or a proxy.</td><td>The same as no reply.</td></tr>
</tbody>
</table></div>`,
};
