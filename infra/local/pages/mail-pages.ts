import { type Html, type HtmlValue, html } from '../../../shared/html.ts';
import type { Mail } from '../services/mail-files.ts';
import { localPage, moment, table } from './local-page.ts';

/** Every mail, newest first. A mail is known by its number: the oldest is 1. */
export const mailListPage = (mails: readonly Mail[]): Html =>
  localPage({
    title: 'Outbox',
    main: [html`<p>The same as JSON: <a href="/__local/outbox">/__local/outbox</a></p>`, mailTable(mails)],
  });

/** The newest mails as links to them, at most as many as asked for. */
export function mailTable(mails: readonly Mail[], max = mails.length): Html {
  if (mails.length === 0) return html`<p class="note">No mail was sent yet.</p>`;
  const rows = mails.map(({ subject, to, sent_at }, index) => [
    html`<a href="/__local/mails/${index + 1}">${subject}</a>`,
    to,
    moment(sent_at),
  ]);
  return table('Mails', ['Subject', 'To', 'Sent'], rows.reverse().slice(0, max));
}

/** One mail as its reader sees it: as text, and as HTML in a frame that runs nothing and loads nothing. */
export function mailPage({ subject, text, html: markup, ...envelope }: Mail): Html {
  return localPage({
    title: subject,
    main: [
      html`<p><a href="/__local/mails">All mails</a></p>
<dl>${Object.entries(envelope).map(([name, value]) => html`<dt>${labelOf(name)}</dt><dd>${shown(name, value)}</dd>\n`)}</dl>
<h2>Text</h2>
<pre>${withLinks(text)}</pre>
<h2>HTML</h2>
<iframe title="The mail as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${openingOutside}${markup}"></iframe>`,
    ],
  });
}

/** A link in the frame opens beside it, where it is not confined. */
const openingOutside = '<base target="_blank">';

const labelOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

function shown(name: string, value: unknown): HtmlValue {
  if (typeof value !== 'string') return JSON.stringify(value);
  return name === 'sent_at' ? moment(value) : value;
}

function withLinks(text: string): HtmlValue {
  const parts = text.split(/(https?:\/\/[^\s<>"]+)/);
  return parts.map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : part));
}
