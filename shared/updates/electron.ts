import { dump } from 'js-yaml';
import type { FullArtifact } from '../releases/artifact.ts';
import type { Links } from './addresses.ts';
import type { Candidate } from './catalog.ts';

/** Below every version. */
const noVersion = '0.0.0';

/**
 * What electron-updater reads: the offer, else what it takes for no update. It takes every other status than 200 for an
 * error, so there is always a file.
 */
export const writeElectronFeed = (offer: Candidate | undefined, current: string | undefined, links: Links): string =>
  // A folded text would be read as another one. What is undefined is left out.
  dump(offer ? describeOffer(offer, links) : { version: current ?? noVersion, files: [] }, { lineWidth: -1 });

function describeOffer({ release, fulls }: Candidate, links: Links): object {
  const { version, notes, publishedAt } = release;
  const files = fulls.map((full) => ({
    url: links.fileOf(version, full),
    sha512: full.sha512Base64 ?? '',
    size: full.sizeBytes,
    blockMapSize: full.blockMapSize,
  }));
  const [first] = files;
  return {
    version,
    files,
    ...(first && { path: first.url, sha512: first.sha512 }),
    releaseDate: publishedAt,
    releaseNotes: notes,
    minimumSystemVersion: kernelOf(fulls[0]),
  };
}

/**
 * electron-updater compares with the version of the kernel; what is offered elsewhere too has that of the product. Of a version that
 * has not three numbers it would take no notice.
 */
function kernelOf(full: FullArtifact | undefined): string | undefined {
  if (!full?.minimumOs || !full.feeds?.every((feed) => feed === 'electron')) return undefined;
  const [major = 0, minor = 0, patch = 0] = full.minimumOs.split('.').map(Number);
  return `${major}.${minor}.${patch}`;
}
