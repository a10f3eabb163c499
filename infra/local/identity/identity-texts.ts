import type { Locale } from '../../../shared/locale.ts';

/** The words of the pages of the local identity provider. */
export const identityTexts = {
  en: {
    choose: 'Who signs in?',
    chooseNote: 'This stands in for an identity provider. Whoever you choose is signed in, without a password.',
    admins: 'Admins',
    sellers: 'Sellers',
    noSeller: 'There is no seller yet.',
    newcomers: 'Others',
    someoneNew: 'Someone new',
    refused: 'Nobody can sign in this way',
    refusedNote: 'The request does not come from the console of this service, so nothing is sent back to where it came from:',
    signedOut: 'Signed out',
    signedOutNote: 'Nobody is signed in any more in this browser.',
  },
  ja: {
    choose: 'サインインする人を選んでください',
    chooseNote: '認証基盤の代わりをするページです。選んだ人としてサインインします。パスワードは要りません。',
    admins: '管理者',
    sellers: '販売者',
    noSeller: '販売者はまだいません。',
    newcomers: 'そのほか',
    someoneNew: '新しい人',
    refused: 'この方法ではサインインできません',
    refusedNote: 'このサービスのコンソールからのリクエストではないため、元の場所へは何も送りません。',
    signedOut: 'サインアウトしました',
    signedOutNote: 'このブラウザーでサインインしている人はいません。',
  },
} as const satisfies Record<Locale, Record<string, string>>;
