import { type MailContext, type MailFact, type RenderedMail, renderInEveryLanguage } from '../layout/mail-layout.ts';

/** An API token that was made; nothing of its text. */
export interface TokenNotice {
  tokenId: string;
  /** As its seller calls it. */
  name?: string | undefined;
  scopes: readonly string[];
  createdAt: string;
  expiresAt: string;
  /** Where a POST ends it. */
  revokeUrl: string;
}

const texts = {
  ja: {
    subject: 'APIトークンが作成されました',
    what: '販売者アカウントで、プログラムからAPIを呼び出すためのトークンが作成されました。',
    meaning: 'お心当たりがない場合は、すぐに失効させてください。販売者としてサインインし、次のアドレスにPOSTすると失効します。',
    token: 'トークンのID',
    name: '名前',
    scopes: 'スコープ',
    createdAt: '作成日時',
    expiresAt: '有効期限',
  },
  en: {
    subject: 'An API token was made',
    what: 'An API token, with which programs call for your seller account, was made.',
    meaning: 'If you know nothing of it, revoke it at once: signed in as the seller, send a POST to',
    token: 'Token',
    name: 'Name',
    scopes: 'Scopes',
    createdAt: 'Made at',
    expiresAt: 'Expires at',
  },
};

/** The mail that tells a seller of a new API token: in every language, as sellers name none. */
export const renderTokenNoticeMail = ({ notice, ...frame }: MailContext & { notice: TokenNotice }): RenderedMail =>
  renderInEveryLanguage(frame, (language) => {
    const { subject, what, meaning, ...names } = texts[language];
    const facts: MailFact[] = [
      ...(notice.name === undefined ? [] : [[names.name, notice.name] as const]),
      [names.token, notice.tokenId],
      [names.scopes, notice.scopes.join(', ')],
      [names.createdAt, notice.createdAt],
      [names.expiresAt, notice.expiresAt],
    ];
    return { subject, blocks: [{ text: what }, { facts }, { text: meaning }, { text: notice.revokeUrl }] };
  });
