import { distance } from 'fastest-levenshtein';

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
  const meant = ofOneDomain.get(brandOf(domain)) ?? closeTo(domain);
  return meant && `${address.slice(0, at)}${meant}`;
}

const closeTo = (domain: string): string | undefined =>
  widespread.find((candidate) => mistakesBetween(domain, candidate) <= maxMistakes(domain, candidate));

/** What ends otherwise (yahoo.co.uk) or begins otherwise (small.com) is more often a domain of its own. */
function maxMistakes(domain: string, candidate: string): number {
  return brandOf(domain) === brandOf(candidate) || domain[0] !== candidate[0] ? 1 : 2;
}

const brandOf = (domain: string) => domain.split('.', 1).join('');

/** Letters left out, added, wrong, or swapped with their neighbour. */
function mistakesBetween(domain: string, candidate: string): number {
  const swapped = (at: number) => `${domain.slice(0, at)}${domain[at + 1]}${domain[at]}${domain.slice(at + 2)}`;
  const afterSwaps = Array.from(domain.slice(1), (_, at) => 1 + distance(swapped(at), candidate));
  return Math.min(distance(domain, candidate), ...afterSwaps);
}
