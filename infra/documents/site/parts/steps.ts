import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import { messages } from '../../clients/license-client.ts';
import { type Language, languages, openingComment, sourceOf } from '../languages.ts';
import { codeBlock } from '../section.ts';

const key = 'LIC1-3AHRZ-6DMV2-9GQY5-CKT18-FPX1N';

/** The words around what an author copies; what is copied is the same in every language. */
const texts = {
  en: {
    needs: (needs: string) => `Needs: ${needs}`,
    fetch: 'Fetch the client and the keys',
    build: 'Build',
    start: 'Start it without a key, with the key, and once more',
    says: 'What it says',
    startOffline: 'Turn the network off, and start it',
    saysOffline: 'What it says then',
    about: (client: string) => html`What <code>${client}</code> says of proxies, certificates and threads`,
    firstLines: (client: string) => `The first lines of ${client}`,
  },
  ja: {
    needs: (needs: string) => `必要なもの：${needs}`,
    fetch: 'クライアントと公開鍵を取得する',
    build: 'ビルドする',
    start: 'キーなし、キーあり、もう一度キーなしで起動する',
    says: '表示',
    startOffline: 'ネットワークを切って起動する',
    saysOffline: 'そのときの表示',
    about: (client: string) => html`<code>${client}</code>の冒頭：プロキシ、証明書、スレッドについて（英語）`,
    firstLines: (client: string) => `${client}の冒頭`,
  },
};

/** How an author begins in each programming language, from an empty folder. */
export const allSteps = (locale: Locale): Html => html`${languages.map((language) => stepsIn(locale, language))}`;

/** How an author begins in a programming language, from an empty folder. */
function stepsIn(locale: Locale, { name, client, needs, fetch, files, build, start }: Language): Html {
  const words = texts[locale];
  return html`<details class="language">
<summary>${name}</summary>
<p>${words.needs(needs[locale])}</p>
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
}

/** The clients, to be downloaded, but for the form that is made of another. */
export const clientLinks = (locale: Locale): Html =>
  html`${[...new Set(languages.map(({ client }) => client))].map((name) => html`<a href="/clients/${name}"><code>${name}</code></a>${locale === 'ja' ? '、' : ', '}`)}`;
