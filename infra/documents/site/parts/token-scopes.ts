import type { TokenScope } from '../../../../shared/audit/caller.ts';
import type { Html } from '../../../../shared/html.ts';
import type { Locale } from '../../../../shared/locale.ts';
import { wordTable } from '../section.ts';

const texts: Readonly<Record<Locale, { label: string; headings: readonly string[]; words: Readonly<Record<TokenScope, string>> }>> = {
  en: {
    label: 'What each scope opens',
    headings: ['Scope', 'Opens'],
    words: {
      'releases:read': 'Reading releases and the list of files.',
      'releases:write': 'Making, editing, deleting, submitting and withdrawing releases, and uploading their files.',
      'releases:publish': 'Publishing and yanking, and drafts that publish themselves once they are approved.',
    },
  },
  ja: {
    label: 'スコープでできること',
    headings: ['スコープ', 'できること'],
    words: {
      'releases:read': 'リリースとファイルの一覧の取得。',
      'releases:write': 'リリースの作成、編集、削除、提出、取り下げと、そのファイルのアップロード。',
      'releases:publish': '公開と公開の取り消し、承認と同時に公開される下書き。',
    },
  },
};

/** What each scope of a token opens. */
export function tokenScopes(locale: Locale): Html {
  const { label, headings, words } = texts[locale];
  return wordTable(label, headings, Object.entries(words));
}
