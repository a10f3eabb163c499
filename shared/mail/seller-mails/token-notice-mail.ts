import type { Locale } from '../../locale.ts';
import type { Operator } from '../../operator.ts';
import { type MailBlock, type RenderedMail, renderInEveryLanguage } from '../layout/mail-layout.ts';

/** An API token that was made; nothing of its text. */
export interface TokenNotice {
  tokenId: string;
  name: string;
  scopes: readonly string[];
  createdAt: string;
  expiresAt: string;
  /** Where a POST ends it. */
  revokeUrl: string;
}

interface Texts {
  subject: string;
  what: string;
  meaning: string;
  token: string;
  name: string;
  scopes: string;
  createdAt: string;
  expiresAt: string;
}

const texts: Record<Locale, Texts> = {
  ja: {
    subject: 'APIトークンが作成されました',
    what: '販売者アカウントで、ビルド環境用のAPIトークンが作成されました。',
    meaning: 'お心当たりがない場合は、すぐに失効させてください。販売者としてサインインし、次のアドレスにPOSTすると失効します。',
    token: 'トークンのID',
    name: '名前',
    scopes: 'スコープ',
    createdAt: '作成日時',
    expiresAt: '有効期限',
  },
  en: {
    subject: 'An API token was made',
    what: 'An API token for build machines was made for your seller account.',
    meaning: 'If you know nothing of it, revoke it at once: signed in as the seller, send a POST to',
    token: 'Token',
    name: 'Name',
    scopes: 'Scopes',
    createdAt: 'Made at',
    expiresAt: 'Expires at',
  },
};

/** The mail that tells a seller of a new API token: in every language, as sellers name none. */
export function renderTokenNoticeMail({
  operator,
  notice,
  locale,
}: {
  operator: Operator;
  notice: TokenNotice;
  /** The language that comes first. */
  locale: Locale;
}): RenderedMail {
  return renderInEveryLanguage({ locale, operator }, (language) => ({
    subject: texts[language].subject,
    blocks: blocksIn(language, notice),
  }));
}

function blocksIn(locale: Locale, { tokenId, name, scopes, createdAt, expiresAt, revokeUrl }: TokenNotice): MailBlock[] {
  const noticeTexts = texts[locale];
  return [
    { text: noticeTexts.what },
    {
      facts: [
        [noticeTexts.name, name],
        [noticeTexts.token, tokenId],
        [noticeTexts.scopes, scopes.join(', ')],
        [noticeTexts.createdAt, createdAt],
        [noticeTexts.expiresAt, expiresAt],
      ],
    },
    { text: noticeTexts.meaning },
    { text: revokeUrl },
  ];
}
