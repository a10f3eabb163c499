import XmlBuilder from 'fast-xml-builder';
import { type FullArtifact, isIn } from '../releases/artifact.ts';
import { renderMarkdown } from '../text/markdown.ts';
import type { Links } from './addresses.ts';
import { type Candidate, type Catalog, firstPlaced, type PublishedRelease, type Target } from './catalog.ts';
import type { Offers } from './offers.ts';

/** How many releases an appcast shows: readers load all of it to take one. */
export const mostItems = 10;

/** What XML 1.0 cannot hold, however it is escaped; one such character would cost a reader the whole feed. */
const unspeakable = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const speakable = (_name: string, value: unknown) => String(value).replace(unspeakable, '');

const attribute = '@';
const builder = new XmlBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: attribute,
  suppressEmptyNode: true,
  tagValueProcessor: speakable,
  attributeValueProcessor: speakable,
});
const attributes = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[`${attribute}${name}`, value]])));

/** What an appcast is made of besides the offers. */
export interface AppcastFrame {
  productName: string;
  links: Links;
  catalog: Catalog;
  target: Target;
}

/**
 * The RSS that Sparkle and WinSparkle read. What is offered has an enclosure; what an upgrade of the license would bring
 * has none, so that readers tell of it and lead to its page.
 */
export function writeAppcast({ offered, upgrade }: Pick<Offers, 'offered' | 'upgrade'>, frame: AppcastFrame): string {
  const { productName, links } = frame;
  const items = [...offered.map((offer) => itemOf(offer, frame)), ...(upgrade ? [noticeOf(upgrade, frame)] : [])];
  return builder.build({
    '?xml': attributes({ version: '1.0', encoding: 'utf-8' }),
    rss: {
      ...attributes({ version: '2.0', 'xmlns:sparkle': 'http://www.andymatuschak.org/xml-namespaces/sparkle' }),
      channel: { title: productName, link: links.releases, description: productName, item: items },
    },
  });
}

function itemOf(offer: Candidate, frame: AppcastFrame): object {
  const { release, fulls } = offer;
  const [full] = fulls;
  const deltas = full ? deltasOf(release, full, frame) : [];
  return {
    ...noticeOf(offer, frame),
    ...(full && { enclosure: enclosureOf(release, full, frame.links) }),
    ...(deltas.length > 0 && { 'sparkle:deltas': { enclosure: deltas } }),
  };
}

/** What an item says of a release, without where to get it. */
function noticeOf({ release, fulls: [full] }: Candidate, { productName, links }: AppcastFrame): object {
  const { version, notes, critical, publishedAt } = release;
  return {
    title: `${productName} ${version}`,
    link: links.releases,
    pubDate: mailDate(publishedAt),
    ...(full?.build !== undefined && { 'sparkle:version': full.build }),
    'sparkle:shortVersionString': version,
    ...(full?.minimumOs !== undefined && { 'sparkle:minimumSystemVersion': full.minimumOs }),
    ...(critical && { 'sparkle:criticalUpdate': '' }),
    description: renderedNotes(release, notes),
  };
}

const enclosureOf = ({ version }: PublishedRelease, artifact: FullArtifact, links: Links, deltaFrom?: string) =>
  attributes({
    url: links.fileOf(version, artifact),
    length: artifact.sizeBytes,
    type: artifact.contentType,
    'sparkle:deltaFrom': deltaFrom,
    'sparkle:edSignature': artifact.ed25519Signature,
    'sparkle:os': systemOf(artifact),
  });

/** Those that stand where the full does, from a build that is known. */
function deltasOf(release: PublishedRelease, { platform, arch }: FullArtifact, { links, catalog, target }: AppcastFrame): object[] {
  return release.artifacts
    .filter((artifact) => artifact.kind === 'delta' && artifact.available && isIn(artifact, 'appcast'))
    .filter((delta) => delta.platform === platform && delta.arch === arch)
    .flatMap((delta) => {
      const build = buildOf(catalog.find(delta.fromVersion ?? ''), target);
      return build === undefined ? [] : [enclosureOf(release, delta, links, build)];
    });
}

/** The build that a device of the target has when it runs the release. */
function buildOf(release: PublishedRelease | undefined, target: Target): string | undefined {
  const fulls = release?.artifacts.filter((artifact) => artifact.kind === 'full' && isIn(artifact, 'appcast')) ?? [];
  return firstPlaced(fulls, target)[0]?.build;
}

const suffixes: Readonly<Record<string, string>> = { x64: '-x64', arm64: '-arm64', x86: '-x86' };

/** WinSparkle alone tells arches apart. */
function systemOf({ platform, arch }: FullArtifact): string | undefined {
  if (platform === 'any') return undefined;
  return platform === 'windows' ? `windows${suffixes[arch] ?? ''}` : platform;
}

/** RFC 822, with a zone in numbers, which every reader knows. */
const mailDate = (time: string) => new Date(time).toUTCString().replace('GMT', '+0000');

/** Rendered once for as long as the release is kept. */
const rendered = new WeakMap<PublishedRelease, string>();
function renderedNotes(release: PublishedRelease, notes: string): string {
  const known = rendered.get(release);
  if (known !== undefined) return known;
  const made = String(renderMarkdown(notes));
  rendered.set(release, made);
  return made;
}
