import type { Element, ElementContent, Instruction } from 'xast';
import { toXml } from 'xast-util-to-xml';
import type { ArtifactWithFile } from '../../releases/artifacts/artifact.ts';
import { isInFeed } from '../../releases/artifacts/artifact-form.ts';
import { notesHtml } from '../../releases/release-notes.ts';
import { type Candidate, type Catalog, nearestArtifacts, type PublishedRelease, type Target } from '../catalog/catalog.ts';
import type { UpdateChoice } from '../catalog/choose-updates.ts';
import type { FeedLinks } from './feed-addresses.ts';

/** How many releases an appcast shows: readers load all of it to take one. */
export const maxItems = 10;

/** What XML 1.0 cannot hold, however it is escaped; one such character would cost a reader the whole feed. */
const notXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const xmlSafe = (text: string) => text.replace(notXml, '');

/** Attributes without a value are left out. */
function element(name: string, attributes: Record<string, string | undefined>, ...children: ElementContent[]): Element {
  const present = Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [[key, xmlSafe(value)]]));
  return { type: 'element', name, attributes: Object.fromEntries(present), children };
}

const textOf = (name: string, value: string) => element(name, {}, ...xmlText(xmlSafe(value)));

/** The writer does not escape `>`, and `]]>` may not occur in text, so its `>` goes into a CDATA section. */
function xmlText(text: string): ElementContent[] {
  const [first = '', ...parts] = text.split(']]>');
  const escaped = parts.flatMap((value): ElementContent[] => [
    { type: 'text', value: ']]' },
    { type: 'cdata', value: '>' },
    { type: 'text', value },
  ]);
  return [{ type: 'text', value: first }, ...escaped];
}

/** What an appcast is made of besides the offers. */
export interface AppcastContext {
  productName: string;
  links: FeedLinks;
  catalog: Catalog;
  target: Target;
}

/**
 * The RSS that Sparkle and WinSparkle read. Offered releases have an enclosure; one that needs an upgraded license has
 * none, so that readers announce it and link to its page.
 */
export function writeAppcast({ offered, upgrade }: Pick<UpdateChoice, 'offered' | 'upgrade'>, frame: AppcastContext): string {
  const { productName, links } = frame;
  const items = [
    ...offered.map((offer) => itemOf(offer, frame)),
    ...(upgrade ? [element('item', {}, ...itemElements(upgrade, frame))] : []),
  ];
  const about = [textOf('title', productName), textOf('link', links.releasesUrl), textOf('description', productName)];
  const sparkle = { version: '2.0', 'xmlns:sparkle': 'http://www.andymatuschak.org/xml-namespaces/sparkle' };
  const rss = element('rss', sparkle, element('channel', {}, ...about, ...items));
  const start: Instruction = { type: 'instruction', name: 'xml', value: 'version="1.0" encoding="utf-8"' };
  return toXml({ type: 'root', children: [start, rss] }, { closeEmptyElements: true });
}

function itemOf(offer: Candidate, frame: AppcastContext): Element {
  const { release, fullPackages } = offer;
  const [full] = fullPackages;
  const deltas = full ? deltasOf(release, full, frame) : [];
  return element(
    'item',
    {},
    ...itemElements(offer, frame),
    ...(full ? [enclosureOf(release, full, frame.links)] : []),
    ...(deltas.length > 0 ? [element('sparkle:deltas', {}, ...deltas)] : []),
  );
}

/** What an item says of a release, without where to get it. */
function itemElements({ release, fullPackages: [full] }: Candidate, { productName, links }: AppcastContext): Element[] {
  const { version, critical, publishedAt } = release;
  return [
    textOf('title', `${productName} ${version}`),
    textOf('link', links.releasesUrl),
    textOf('pubDate', rfc822Date(publishedAt)),
    ...(full?.build === undefined ? [] : [textOf('sparkle:version', full.build)]),
    textOf('sparkle:shortVersionString', version),
    ...(full?.minimumOs === undefined ? [] : [textOf('sparkle:minimumSystemVersion', full.minimumOs)]),
    ...(critical ? [element('sparkle:criticalUpdate', {})] : []),
    textOf('description', descriptionOf(release)),
  ];
}

const enclosureOf = ({ version }: PublishedRelease, artifact: ArtifactWithFile, links: FeedLinks, deltaFrom?: string) =>
  element('enclosure', {
    url: links.fileUrl(version, artifact),
    length: String(artifact.sizeBytes),
    type: artifact.contentType,
    'sparkle:deltaFrom': deltaFrom,
    'sparkle:edSignature': artifact.ed25519Signature,
    'sparkle:os': sparkleOs(artifact),
  });

/** Deltas of the full package's target, from a known build. */
function deltasOf(release: PublishedRelease, { platform, arch }: ArtifactWithFile, { links, catalog, target }: AppcastContext): Element[] {
  return release.artifacts
    .filter((artifact) => artifact.kind === 'delta' && artifact.available && isInFeed(artifact, 'appcast'))
    .filter((delta) => delta.platform === platform && delta.arch === arch)
    .flatMap((delta) => {
      const build = buildOf(catalog.artifactsOf(delta.fromVersion ?? ''), target);
      return build === undefined ? [] : [enclosureOf(release, delta, links, build)];
    });
}

/** The build that a device of the target has when it runs what these are artifacts of. */
function buildOf(artifacts: readonly ArtifactWithFile[], target: Target): string | undefined {
  const fullPackages = artifacts.filter((artifact) => artifact.kind === 'full' && isInFeed(artifact, 'appcast'));
  return nearestArtifacts(fullPackages, target)[0]?.build;
}

const suffixes: Readonly<Record<string, string>> = { x64: '-x64', arm64: '-arm64', x86: '-x86' };

/** WinSparkle alone tells arches apart. */
function sparkleOs({ platform, arch }: ArtifactWithFile): string | undefined {
  if (platform === 'any') return undefined;
  return platform === 'windows' ? `windows${suffixes[arch] ?? ''}` : platform;
}

/** RFC 822, with a zone in numbers, which every reader knows. */
const rfc822Date = (time: string) => new Date(time).toUTCString().replace('GMT', '+0000');

/** Made once for as long as the release is in memory, where the table has none. */
const rendered = new WeakMap<PublishedRelease, string>();
function descriptionOf(release: PublishedRelease): string {
  const cached = rendered.get(release);
  if (cached !== undefined) return cached;
  const html = String(notesHtml(release));
  rendered.set(release, html);
  return html;
}
