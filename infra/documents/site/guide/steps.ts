import { type Html, html, type Part } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import { messages } from '../../clients/license-client.ts';
import { type Language, languages, openingComment, sourceOf } from '../languages.ts';
import { codeBlock } from './section.ts';

const key = 'LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N';

/** The words around what an author copies; what is copied is the same in every language. */
interface StepWords {
  locale: Locale;
  needs: (needs: string) => string;
  fetch: string;
  build: string;
  start: string;
  says: string;
  startOffline: string;
  saysOffline: string;
  about: (client: string) => Part;
  firstLines: (client: string) => string;
}

/** How an author begins in a programming language, from an empty folder. */
export const stepsIn =
  (words: StepWords) =>
  ({ name, client, needs, fetch, files, build, start }: Language): Html =>
    html`<details class="language">
<summary>${name}</summary>
<p>${words.needs(needs[words.locale])}</p>
${codeBlock(words.fetch, fetch)}
${Object.entries(files).map(([path, text]) => codeBlock(path, text))}
${build && codeBlock(words.build, build)}
${codeBlock(words.start, [start, `${start} ${key}`, start].join('\n'))}
${codeBlock(words.says, [messages.no_license, messages.activated, messages.valid].join('\n'))}
${codeBlock(words.startOffline, start)}
${codeBlock(words.saysOffline, messages.lease_valid)}
<details><summary>${words.about(client)}</summary>
${codeBlock(words.firstLines(client), openingComment(sourceOf(client)))}
</details>
</details>
`;

export const clientFiles = [...new Set(languages.map(({ client }) => client))];
export const fileLink = (name: string): Html => html`<a href="/clients/${name}"><code>${name}</code></a>`;
