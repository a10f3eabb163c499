import type { TokenScope } from '../../../../shared/audit/caller.ts';
import { html } from '../../../../shared/html.ts';
import { type Section, table } from '../guide/section.ts';
import { ciSamples, tokenSample } from './ci-samples.ts';

/** How a build machine uploads a release and hands it in. */
export const fromCi: Section = {
  id: 'ci',
  title: 'Release from CI',
  body: html`<p>A push of the tag <code>v1.2.0</code> builds the app, uploads its files, and hands in version <code>1.2.0</code> for review. The script needs bash, curl, jq and
sha256sum, which GitHub’s machines with Linux have; on other services call it the same way.</p>
<ol>
<li>Make a token as below, and keep it as the secret <code>LICENSE_TOKEN</code> of the repository. The product’s id goes into the variable <code>PRODUCT_ID</code>.</li>
<li>Save the script and the workflow:</li>
</ol>
${ciSamples}
<ul>
<li><strong><code>release.json</code> is written by your build.</strong> It holds what <code>POST /v1/products/{product_id}/releases</code> takes, with the path of each file as
<code>file</code>. The script adds version and notes, and the channel that the version names: <code>1.3.0-beta.2</code> goes to beta, a version without such a part to stable.</li>
<li><strong>Run it again</strong> when it was cut short. It goes on with the draft, and uploads no file twice that the draft has. What was handed in stays as it is; with other files under
that version the script fails.</li>
<li><strong>What is missing is named</strong> by artifact and field, all at once; the draft stays for the next run.</li>
<li><strong>After the approval</strong> somebody publishes the release (<code>POST /v1/products/{product_id}/releases/{release_id}/publish</code>), or it publishes itself where <code>release.json</code> has <code>"publish_on_approval": true</code>. The token needs
<code>releases:publish</code> for that.</li>
</ul>`,
};

/** What each scope opens. */
const scopes: Readonly<Record<TokenScope, string>> = {
  'releases:read': 'Reading releases and the list of files.',
  'releases:write': 'Making, editing, deleting, submitting and withdrawing releases, and uploading their files.',
  'releases:publish': 'Publishing and yanking, and drafts that publish themselves once they are approved.',
};

/** With what a build machine calls. */
export const apiTokens: Section = {
  id: 'tokens',
  title: 'API tokens',
  body: html`<p>With a token a machine calls in your right, without your sign-in. Its scopes and its products bound what it may do; without <code>product_ids</code> it is for all of them.
<code>POST /v1/api-tokens</code> shows the token, <strong>this once</strong>; a mail to your contact address says that there is a new one.</p>
${tokenSample}
${table(
  'What each scope opens',
  ['Scope', 'Opens'],
  Object.entries(scopes).map(([scope, text]) => [html`<code>${scope}</code>`, text]),
)}
<p>It is sent as <code>Authorization: Bearer lst_…</code>, and opens nothing else: not sales, buyers, products or other tokens. It ends after <code>expires_in_days</code>, at most 366, or at
once with <code>POST /v1/api-tokens/{token_id}/revoke</code>. <code>GET /v1/api-tokens</code> tells when each was last used. At most 20 live at a time.</p>`,
};
