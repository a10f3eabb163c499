type Told = (...groups: string[]) => string;

const count = (text: string) => (/^\d+$/.test(text) ? Number(text).toLocaleString('ja') : text);

const general = 'の入力内容を確認してください';

/** What the API and the forms say is wrong, by as much of it as nothing else says, and the same in Japanese, which goes after the field's name. */
const table: readonly (readonly [RegExp, string | Told])[] = [
  [/^(?:is missing|must not be blank)$/, 'を入力してください'],
  [/^is missing, which a decision of .* needs$/, 'を入力してください（この判断には必要です）'],
  [/^is missing, which .* needs?$/, 'を入力してください'],
  [/^is missing, and /, 'か割引率のどちらかを入力してください'],
  [/^is taken$/, 'はすでにあります'],
  [/^must be at most (\d+) characters? long$/, (most = '') => `は${count(most)}文字以内で入力してください`],
  [/^must be at least (\d+) characters? long$/, (least = '') => `は${count(least)}文字以上で入力してください`],
  [/^must be exactly (\d+)/, (exact = '') => `は${count(exact)}文字で入力してください`],
  [/^must be a list of at most (\d+)$/, (most = '') => `は${count(most)}件までです`],
  [/^must be a list of at least (\d+)$/, (least = '') => `は${count(least)}件以上必要です`],
  [/^must be at most ([\d.]+)(?: with|$)/, (most = '') => `は${count(most)}以下にしてください`],
  [/^must be at least ([\d.]+)$/, (least = '') => `は${count(least)}以上にしてください`],
  [/^must be an amount such as (.+)$/, (example = '') => `は${example}のような金額で入力してください`],
  [/^must be a whole amount/, 'にはこの通貨では小数を使えません'],
  [/^must have at most (\d) decimals/, (most = '') => `の小数は${most}桁までです`],
  [/^must be a multiple of ([\d.]+)/, (step = '') => `は${step}の倍数にしてください`],
  [/^must be (?:a number|a whole number)$/, 'は整数で入力してください'],
  [
    /^must be a whole number from (\d+) to (\d+)$/,
    (least = '', most = '') => `は${count(least)}から${count(most)}までの整数で入力してください`,
  ],
  [/^must be one of (.+)$/s, (values = '') => `は次のいずれかにしてください：${values}`],
  [/^must be an e-mail address$/, 'はメールアドレスの形式で入力してください'],
  [/^must be an http /, 'はhttp://またはhttps://で始まるURLにしてください（空白、引用符、認証情報は使えません）'],
  [/^must be an https URL/, 'は公開されたホスト名のhttpsのURLにしてください（ポートは443、認証情報と#以降は使えません）'],
  [/^must be a (?:past )?time/, 'は正しい日時で入力してください'],
  [/^must hold a letter or a digit$/, 'には文字か数字を入れてください'],
  [/^must not mix/, 'では、1つの単語にラテン文字と、よく似た別の文字（キリル文字など）を混ぜられません'],
  [/^must not hold marks/, 'には文字の並びを変える制御文字を使えません'],
  [/^must not hold a NUL/, 'には使えない文字が含まれています'],
  [/^must be T and 13 digits/, 'はTと13桁の数字で入力してください'],
  [/^must be 1 where /, 'は、ライセンスコードを取り込む商品では1にしてください'],
  [/^must be at most (\d+) with /, (most = '') => `は、この台数では${count(most)}以下にしてください`],
  [/^must be left out where /, 'は、アップデートの期間に終わりがない場合は設定できません'],
  [/^must be given anew /, 'は、通貨を変えるときは入力し直してください'],
  [/^must name other products /, 'には、ご自身のほかの商品を1回ずつ指定してください'],
  [/^must be 3 to 32 of /, 'は3～32文字の英大文字、数字、-で入力してください'],
  [/^must be left out beside/, 'と割引率はどちらか一方だけを入力してください'],
  [/^must be at most the price/, 'は価格以下にしてください'],
  [/^must be after/, 'は開始より後にしてください'],
  [/^must be in the f/, 'は未来の日時にしてください'],
  [/^must be 1 to 12 of /, 'は英大文字で始まる12文字以内の英大文字と数字にしてください'],
  [/^must hold a label/, 'には日本語か英語の表示名を入れてください'],
  [/^must name only/, 'には機能の一覧にあるものだけを指定してください'],
  [/^must name at least one/, 'を1つ以上選んでください'],
  [/^must name each/, 'に同じものが2回あります'],
  [/^must name products/, 'にはご自分の商品を選んでください'],
  [/^must have activation_limit/, '：台数かアップデートの期限を入力してください'],
  [/^must be later/, 'は現在の期限より後の日にしてください'],
  [/^must be at most (\d+) days/, (days = '') => `は発行日から${count(days)}日以内にしてください`],
  [/^must be chosen$/, 'を選んでください'],
  [/^must not be in/, 'に未来の日時は使えません'],
  [/^must be a version/, 'は1.2.0や1.3.0-beta.1のような形式で入力してください（+以降は使えません）'],
  [/^must be stable/, 'は、プレリリースでないバージョンではstable、それ以外ではstable以外にしてください'],
  [/^must be 1 to 4 numbers/, 'は10.15のように、点で区切った4つまでの数字で入力してください'],
  [/^must be base64/, 'はBase64で入力してください'],
  [/^must hold at least/, 'には完全版のファイルが1つ以上必要です'],
  [/^must hold appcast/, 'には差分ファイルの場合、appcastかvelopackが必要です'],
  [/^must be of a f/, 'に合うファイルを選んでください'],
  [/^must not (?:be of|offer)/, 'が他のファイルと重なっています'],
  [/^must be a media type$/, 'はファイル形式（例：application/zip）で入力してください'],
  [/^must be 1 to 128 of /, 'は128文字以内の英数字と記号（. _ -）にしてください'],
  [/^must be 64/, 'は64桁の16進数にしてください'],
  [/^must have exactly one of /, '：検索条件を1つだけ入力してください'],
  // What no control can send.
  [/^must be (?:text|a list|an object|true or false|a file part|of another type)$/, general],
];

/** The Japanese words for what the API says is wrong with a field; undefined for what it did not say when this was written. */
export function knownInJapanese(text: string): string | undefined {
  for (const [pattern, words] of table) {
    const found = pattern.exec(text);
    if (found) return typeof words === 'string' ? words : words(...found.slice(1));
  }
  return undefined;
}

/** The same, in general words where there are none of its own. */
export const inJapanese = (text: string): string => knownInJapanese(text) ?? general;
