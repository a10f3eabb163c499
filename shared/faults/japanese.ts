import type { RuleId } from './fault.ts';
import { readFault } from './read-fault.ts';

/** In general words: what no control of ours can send, and what a later version says. */
const general = 'の入力内容を確認してください';

/** The Japanese words of each rule, which go after the field's name; `{max}` is a parameter. */
const words: Readonly<Record<RuleId, string>> = {
  missing: 'を入力してください',
  blank: 'を入力してください',
  missingForDecision: 'を入力してください（この判断には必要です）',
  taken: 'はすでにあります',
  emptyOrRepeated: 'は空にせず、1回だけ指定してください',
  repeated: 'は1回だけ指定してください',

  notText: general,
  notNumber: 'は整数で入力してください',
  notWhole: 'は整数で入力してください',
  notBoolean: general,
  notList: general,
  notObject: general,
  notFilePart: general,
  otherType: general,
  otherMembers: general,
  otherShape: general,

  tooLong: 'は{max}文字以内で入力してください',
  tooShort: 'は{min}文字以上で入力してください',
  otherLength: 'は{length}文字で入力してください',
  tooMany: 'は{max}件までです',
  tooFew: 'は{min}件以上必要です',
  otherCount: 'は{count}件にしてください',
  tooLarge: 'は{max}以下にしてください',
  tooSmall: 'は{min}以上にしてください',
  otherNumber: 'は{number}にしてください',
  notWithin: 'は{min}から{max}までにしてください',
  notWholeWithin: 'は{min}から{max}までの整数で入力してください',
  notMultiple: 'は{step}の倍数にしてください',

  otherValue: 'は{value}にしてください',
  notOneOf: 'は次のいずれかにしてください：{values}',
  otherForm: general,
  holdsControls: 'には制御文字を使えません',
  turnsReading: 'には文字の並びを変える制御文字を使えません',
  holdsNul: 'には使えない文字が含まれています',
  notEmail: 'はメールアドレスの形式で入力してください',
  notWebUri: 'はhttp://またはhttps://で始まるURLにしてください（空白、引用符、認証情報は使えません）',
  notEndpointUrl: 'は公開されたホスト名のhttpsのURLにしてください（ポートは443、認証情報と#以降は使えません）',
  notMediaType: 'はファイル形式（例：application/zip）で入力してください',
  notSha256: 'は64桁の16進数にしてください',
  notInvoiceNumberOrNone: 'はTと13桁の数字で入力してください',
  notNonce: 'は128文字以内の英数字と記号（_ -）にしてください',
  notRequestCode: 'はアプリに表示されたとおりに、すべて入力してください',
  notIdempotencyKey: 'は16～255文字の、空白を除く半角英数字と記号にしてください',
  notCompletionToken: 'は購入ページのリンクのものではありません',
  foreignCursor: 'はこの一覧のものではありません',

  notTime: 'は正しい日時で入力してください',
  notPast: 'は正しい日時で入力してください',
  inFuture: 'に未来の日時は使えません',
  notInFuture: 'は未来の日時にしてください',
  notAfterStart: 'は開始より後にしてください',

  notJsonObject: 'はJSONのオブジェクトにしてください',
  nestedTooDeep: 'の入れ子は{max}段までです',
  holdsBrokenText: 'には使えない文字が含まれています',
  notMultipart: 'はmultipart/form-dataの形式になっていません',
  notEvent: 'にはidとtypeが必要です',
  nothingToChange: '：台数かアップデートの期限を入力してください',
  notOneTerm: '：検索条件を1つだけ入力してください',
  notOneCredential: '：tokenか、buyer_emailとcompletion_tokenのどちらかが必要です',

  notAmount: 'は{example}のような金額で入力してください',
  notWholeAmount: 'にはこの通貨では小数を使えません',
  tooManyDecimals: 'の小数は{max}桁までです',
  notChargeable: 'は{step}の倍数にしてください',
  otherCurrency: 'は、通貨を変えるときは入力し直してください',

  noLetter: 'には文字か数字を入れてください',
  mixedScripts: 'では、1つの単語にラテン文字と、よく似た別の文字（キリル文字など）を混ぜられません',
  notKeyPrefix: 'は英大文字で始まる12文字以内の英大文字と数字にしてください',
  noLabel: 'には日本語か英語の表示名を入れてください',
  unlistedFeature: 'には機能の一覧にあるものだけを指定してください',
  severalImported: 'は、ライセンスコードを取り込む商品では1にしてください',
  tooManySeats: 'は、この台数では{max}以下にしてください',
  endlessUpdates: 'は、アップデートの期間に終わりがない場合は設定できません',
  notOtherProducts: 'には、ご自身のほかの商品を1回ずつ指定してください',
  notPending: 'は、審査中の変更がないためliveにしてください',

  notDiscountCode: 'は3～32文字の英大文字、数字、-で入力してください',
  noReduction: 'か割引率のどちらかを入力してください',
  twoReductions: 'と割引率はどちらか一方だけを入力してください',
  overPrice: 'は価格以下にしてください',

  notReleaseFileName: 'は128文字以内の英数字と記号（. _ -）にしてください',
  notPicture: 'は次のいずれかにしてください：{types}',
  repeatedPart: 'に同じ番号が2回あります',
  partBeyondFile: 'の番号は1から{max}までにしてください',
  notChosen: 'を選んでください',
  notVersion: 'は1.2.0や1.3.0-beta.1のような形式で入力してください（+以降は使えません）',
  notDottedNumbers: 'は10.15のように、点で区切った4つまでの数字で入力してください',
  otherStability: 'は、プレリリースでないバージョンではstable、それ以外ではstable以外にしてください',
  notFeedName: 'はlatest.ymlやbeta-mac.ymlのような、チャンネルのものにしてください',

  noFull: 'には完全版のファイルが1つ以上必要です',
  tooMuchHtml: 'は、HTMLにして{max}KBまでにしてください',
  missingFor: 'を入力してください',
  notFinalized: 'に合うファイルを選んでください',
  notEd25519: 'はBase64で入力してください',
  notMinisign: 'はBase64で入力してください',
  notNupkg: 'に合うファイルを選んでください',
  notInstaller: 'には electron-updater が実行できるインストーラーを選んでください',
  notBlockmapOfFull: 'に合うファイルを選んでください',
  noFeedOfDelta: 'には差分ファイルの場合、appcastかvelopackが必要です',
  sameOffer: 'が他のファイルと重なっています',
  sameName: 'が他のファイルと重なっています',

  severalUpdates: 'は、アップデートの延長では1にしてください',
  tooManySeatsAdded: 'を加えると、ライセンスが{max}席を超えます',
  tooManySeatsUpgraded: 'では、ライセンスが{max}席を超えます',
  updatesTooFar: 'では、アップデートが今から{days}日より先まで延びます',
  updatesWithoutEnd: 'は、このライセンスにはありません',
  updatesNotLater: 'は現在の期限より後の日にしてください',
  updatesTooLate: 'は発行日から{days}日以内にしてください',
  addressUnknown: 'は、この注文では分かっていません',
  refusedByProvider: 'は決済サービスに受け付けられませんでした',

  noScope: 'を1つ以上選んでください',
  noProduct: 'を1つ以上選んでください',
  endpointsOfSome: 'の endpoints:write は、対象の商品を限ったトークンには付けられません（通知先にはすべての商品の出来事が届きます）',
  foreignProduct: 'にはご自分の商品を選んでください',
  noType: 'を1つ以上選んでください',
  repeatedType: 'に同じものが2回あります',
  eventGiven: 'は、event_idがある場合は指定できません',

  noCode: 'コードがありません。',
  codeOfSpreadsheet: '表計算ソフトで数値や日付、エラーに変わっています。列を文字列にして、元のコードを入れ直してください。',
  codeOfOtherLength: 'コードは{min}～{max}文字にしてください。',
  codeBeyondAscii: '半角英数字と記号以外の文字があります。',
  codeIsFormula: '先頭に = + - @ は使えません。',
  codeOfTooFewSymbols: '空白とハイフンを除いて{min}文字以上必要です。',
};

const byId: Readonly<Record<string, string>> = words;

/** A fault in Japanese; undefined for one of a later version. */
export function inJapanese(text: string): string | undefined {
  const read = readFault(text);
  return read && byId[read.id]?.replace(/\{(\w+)\}/g, (whole, name: string) => grouped(read.params[name] ?? whole));
}

const grouped = (param: string) => (/^\d+$/.test(param) ? Number(param).toLocaleString('ja') : param);

/** The same, in general words where there are none of its own. */
export const inJapaneseOrGeneral = (text: string): string => inJapanese(text) ?? general;
