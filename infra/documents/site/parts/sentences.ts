import { type Html, html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import { messages } from '../../clients/license-client.ts';
import { table } from '../section.ts';
import { sentences } from './sentences-ja.ts';

const code = (name: string) => html`<code>${name}</code>`;

/** What the clients say to the user, by code; in the other language beside it. */
export const sentencesTable = (locale: Locale): Html =>
  locale === 'en'
    ? table(
        'What to show the user for each code',
        ['code', 'message'],
        Object.entries(messages).map(([name, sentence]) => [code(name), sentence]),
      )
    : table(
        'codeごとにユーザーに見せる文',
        ['code', 'message', '日本語訳の例'],
        Object.entries(messages).map(([name, sentence]) => [code(name), html`<span lang="en">${sentence}</span>`, sentences[name] ?? '']),
      );
