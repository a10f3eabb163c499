import { type Html, html } from '../../../../shared/html.ts';
import { codeBlock } from '../section.ts';

/** How an app asks whether its license covers it, by language. `status` is what a call of the client returned. */
const coveredIn: Readonly<Record<string, string>> = {
  'JavaScript and TypeScript': `import { covers } from './license-client.ts';

const releasedAt = 1769846400; // written by your build
if (status.allowed && !covers(status, releasedAt)) {
  offerCoveredVersion(status.updatesUntil);
}`,
  Python: `RELEASED_AT = 1769846400  # written by your build

if status.allowed and not status.covers(RELEASED_AT):
    offer_covered_version(status.updates_until)`,
  Go: `const releasedAt = 1769846400 // written by your build

if status.Allowed && !status.Covers(releasedAt) {
	offerCoveredVersion(status.UpdatesUntil)
}`,
  'Java and Kotlin': `static final long RELEASED_AT = 1769846400L; // written by your build

if (status.allowed && !status.covers(RELEASED_AT)) {
  offerCoveredVersion(status.updatesUntil);
}`,
  Rust: `const RELEASED_AT: i64 = 1_769_846_400; // written by your build

if status.allowed && !status.covers(RELEASED_AT) {
    offer_covered_version(status.updates_until);
}`,
};

export const coveredSamples: Html = html`${Object.entries(coveredIn).map(([language, code]) => html`${codeBlock(language, code)}\n`)}`;
