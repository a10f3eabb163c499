import type { ArtifactWithFile } from '../../releases/artifacts/artifact.ts';
import { compareVersions } from '../../releases/versions/version.ts';
import type { Candidate } from '../catalog/catalog.ts';
import type { FeedLinks } from './feed-addresses.ts';

/** Below every version. */
const noVersion = '0.0.0';

/**
 * What electron-updater reads: the offers, of which the highest names the version, else what it takes for no update. It takes
 * every other status than 200 for an error, so there is always a file.
 */
export function writeElectronFeed(offers: readonly Candidate[], current: string | undefined, links: FeedLinks): string {
  const [highest] = offers.toSorted((a, b) => compareVersions(b.release.version, a.release.version));
  const lines = highest ? describeOffers(offers, highest, links) : [...linesOf({ version: current ?? noVersion }), noFiles];
  return [...lines, ''].join('\n');
}

const noFiles = 'files: []';

function describeOffers(offers: readonly Candidate[], highest: Candidate, links: FeedLinks): string[] {
  const { version, notes, publishedAt } = highest.release;
  const files = offers.flatMap(({ release, fullPackages }) =>
    fullPackages.map((full) => ({
      url: links.fileUrl(release.version, full),
      sha512: full.sha512Base64 ?? '',
      size: full.sizeBytes,
      blockMapSize: full.blockMapSize,
    })),
  );
  const [first] = files;
  return [
    ...linesOf({ version }),
    ...(first ? ['files:', ...files.flatMap((file) => linesOf(file).map(indented))] : [noFiles]),
    ...linesOf({
      path: first?.url,
      sha512: first?.sha512,
      releaseDate: publishedAt,
      releaseNotes: notes,
      minimumSystemVersion: kernelOf(highest.fullPackages[0]),
    }),
  ];
}

/** The members of a mapping, of those that are known. YAML reads texts as JSON has them, and none as a date or as null. */
const linesOf = (members: Readonly<Record<string, string | number | undefined>>): string[] =>
  Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${JSON.stringify(value)}`]));

/** The lines of one entry of a list. */
const indented = (line: string, index: number) => `${index === 0 ? '  - ' : '    '}${line}`;

/**
 * electron-updater compares with the version of the kernel; what is offered elsewhere too has that of the product. Of a version that
 * has not three numbers it would take no notice.
 */
function kernelOf(full: ArtifactWithFile | undefined): string | undefined {
  if (!full?.minimumOs || !full.feeds?.every((feed) => feed === 'electron')) return undefined;
  const [major = 0, minor = 0, patch = 0] = full.minimumOs.split('.').map(Number);
  return `${major}.${minor}.${patch}`;
}
