/** Domains of mailboxes that many people have, in Japan and elsewhere. */
const widespread = [
  'gmail.com',
  'yahoo.co.jp',
  'yahoo.com',
  'icloud.com',
  'outlook.com',
  'outlook.jp',
  'hotmail.com',
  'hotmail.co.jp',
  'docomo.ne.jp',
  'ezweb.ne.jp',
  'softbank.ne.jp',
  'ymobile.ne.jp',
];
/** Names that have one domain alone, whatever people write after them. */
const ofOneDomain = new Map([
  ['gmail', 'gmail.com'],
  ['icloud', 'icloud.com'],
]);
/** Those that look like a mistyped one and are none. */
const lookalikes = ['mail.com', 'email.com', 'ymail.com'];

/** The address that was probably meant: the same under a widespread domain that differs by a mistake or two in typing. */
export function likelyAddress(address: string): string | undefined {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at).toLowerCase();
  if ([...widespread, ...lookalikes].includes(domain)) return undefined;
  const meant = ofOneDomain.get(brandOf(domain)) ?? closestTo(domain);
  return meant && `${address.slice(0, at)}${meant}`;
}

const closestTo = (domain: string): string | undefined =>
  widespread
    .map((candidate) => ({ candidate, mistakes: mistakesBetween(domain, candidate) }))
    .filter(({ candidate, mistakes }) => mistakes <= mostMistakes(domain, candidate))
    .sort((a, b) => a.mistakes - b.mistakes)[0]?.candidate;

/** What ends otherwise (yahoo.co.uk) or begins otherwise (small.com) is more often a domain of its own. */
function mostMistakes(domain: string, candidate: string): number {
  return brandOf(domain) === brandOf(candidate) || domain[0] !== candidate[0] ? 1 : 2;
}

const brandOf = (domain: string) => domain.split('.', 1).join('');

/** Letters left out, added, wrong, or swapped with their neighbour. */
function mistakesBetween(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const wrong = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, wrong, isSwapped ? at(i - 2, j - 2) + 1 : wrong));
    }
  }
  return at(a.length, b.length);
}
