import { formatSize } from '../../../../shared/text/file-size.ts';
import { renderMarkdown } from '../../../../shared/text/markdown.ts';
import { type Failure, listReleases, type Release, type ReleaseFile, type Releases } from '../api.ts';
import { copyOf, fill, fillPattern, find, inPattern, setHidden, showOnly, whenParsed } from '../dom.ts';
import { showOutcome, showReplyOutcome } from '../outcome.ts';
import { type Download, fileRows } from './file-rows.ts';
import { nodesOf } from './notes.ts';
import type { Purchase } from './purchase.ts';
import { dayInWords, locale } from './words.ts';

/** How many pages are read until there is one that the license covers: who has had no updates for long finds theirs further down. */
const maxPages = 4;

interface Options {
  token: () => string;
  download: Download;
  onFailure: (failure: Failure) => void;
  onCovered: () => void;
}

/** How far the list is. */
interface ReleaseList extends Options {
  license: Purchase['license'];
  nextCursor: string | undefined;
  /** Which loading is the current one; replies to an older one are dropped. */
  loading: number;
}

/** The releases of the product: what the license covers with its files, and what it does not with the reason. */
export function startReleases(options: Options): { show: (license: Purchase['license']) => void } {
  const list: ReleaseList = { ...options, license: undefined, nextCursor: undefined, loading: 0 };
  whenParsed(() => {
    find('[data-more-releases] button')?.addEventListener('click', () => void load(list, list.nextCursor));
    find('[data-retry-releases] button')?.addEventListener('click', () => void load(list, list.nextCursor));
  });
  return {
    show(present) {
      if (present && JSON.stringify(keyOf(present)) === JSON.stringify(keyOf(list.license))) return;
      list.license = present;
      list.loading += 1;
      list.nextCursor = undefined;
      setHidden('[data-releases], [data-uncovered]', true);
      for (const shown of ['[data-release-list]', '[data-uncovered-list]']) find(shown)?.replaceChildren();
      if (present) void load(list, undefined);
    },
  };
}

async function load(list: ReleaseList, from: string | undefined): Promise<void> {
  const part = find('[data-releases]');
  if (!part) return;
  list.loading += 1;
  const current = list.loading;
  const told = find('[data-releases-outcome]') ?? part;
  showOutcome(told, '');
  let cursor = from;
  for (let page = 0; page < maxPages; page += 1) {
    const outcome = await listReleases(list.token(), cursor);
    if (current !== list.loading) return;
    setHidden('[data-retry-releases]', outcome.ok);
    if (!outcome.ok) {
      part.hidden = false;
      showReplyOutcome(told, outcome, '');
      return list.onFailure(outcome);
    }
    const added = addPage(list, outcome.body, part);
    list.nextCursor = outcome.body.next_cursor;
    setHidden('[data-more-releases]', list.nextCursor === undefined);
    if (added || list.nextCursor === undefined || list.license?.status !== 'active') {
      if (from !== undefined && added) find('summary', added)?.focus();
      return;
    }
    cursor = list.nextCursor;
  }
}

/** Adds a page to what is shown; returns the first that is covered. */
function addPage(
  { license, download, onCovered }: ReleaseList,
  { items, updates_until: until }: Releases,
  part: HTMLElement,
): HTMLElement | undefined {
  if (items.length > 0) part.hidden = false;
  const isActive = license?.status === 'active';
  tellUntil(until, isActive);
  const covered = items.filter((release) => release.covered);
  const rows = covered.map((release) => releaseRow(release, download));
  const list = find('[data-release-list]');
  const isFirst = list?.childElementCount === 0;
  list?.append(...rows);
  if (isFirst) openFirst(covered, rows);
  const others = items.filter((release) => !release.covered);
  find('[data-uncovered-list]')?.append(...others.map((release) => uncoveredRow(release, until, isActive)));
  showOnly(find(`[data-heading="${isActive ? 'uncovered' : 'inactive'}"]`), '[data-heading]');
  if (others.length > 0) setHidden('[data-uncovered]', false);
  if (covered.some(hasFiles)) onCovered();
  return rows[0];
}

/** What decides which releases a license covers. */
const keyOf = (license: Purchase['license']) => license && [license.id, license.status, license.updates_until];

/** Until when updates come, or why nothing can be downloaded. */
function tellUntil(until: string | undefined, isActive: boolean): void {
  const end = until === undefined ? 'endless' : Date.parse(until) < Date.now() ? 'ended' : 'until';
  const name = isActive ? end : 'inactive';
  fillPattern('release-until', { date: dayInWords(until) });
  showOnly(find(`[data-until="${name}"]`), '[data-until]');
}

/** The first finished one that this device can run is seen at once, else the first that it can run. */
function openFirst(releases: readonly Release[], rows: readonly HTMLElement[]): void {
  const fits = ({ artifacts = [] }: Release) => filesOf(artifacts).some(suits);
  const finished = releases.findIndex((release) => release.channel === 'stable' && fits(release));
  const index = finished < 0 ? releases.findIndex(fits) : finished;
  const details = find<HTMLDetailsElement>('details', rows[Math.max(index, 0)] ?? document.createElement('li'));
  if (details) details.open = true;
}

function releaseRow(release: Release, download: Download): HTMLElement {
  const row = copyOf('[data-release-row]');
  fillRelease(release, row);
  showNotes(release.notes, row);
  const list = find('.files', row);
  const files = filesOf(release.artifacts ?? []);
  list?.append(...fileRows(files, (file) => needsInWords(file, list), download));
  setHidden('[data-no-files]', files.length > 0, row);
  return row;
}

/** Rendered once somebody opens the row: there may be many, and long ones. */
function showNotes(notes: string, row: HTMLElement): void {
  setHidden('[data-notes]', notes.trim() === '', row);
  const show = () => find('[data-field="release-notes"]', row)?.replaceChildren(nodesOf(renderMarkdown(notes)));
  find('details', row)?.addEventListener('toggle', show, { once: true });
}

function uncoveredRow(release: Release, until: string | undefined, isActive: boolean): HTMLElement {
  const row = copyOf('[data-uncovered-row]');
  fillRelease(release, row);
  fillPattern('release-until', { date: dayInWords(until) }, row);
  const isLater = until !== undefined && release.published_at > until;
  // One reason for all stands above the list.
  const reason = isActive ? find(`[data-reason="${isLater ? 'later' : 'features'}"]`, row) : null;
  showOnly(reason, '[data-reason]', row);
  return row;
}

function fillRelease({ version, channel, critical, published_at }: Release, row: HTMLElement): void {
  fillPattern('release-version', { version }, row);
  fill('release-day', dayInWords(published_at), row);
  for (const tag of row.querySelectorAll<HTMLElement>('[data-tag]')) {
    const name = tag.dataset['tag'];
    tag.hidden = name !== channel && !(name === 'critical' && critical);
  }
}

/** A file that people install, with everything that it runs on. */
type Installable = ReleaseFile & { targets: ReleaseFile[] };

/** Each file once, without those that are for updaters alone; what this device can run comes first. */
function filesOf(artifacts: readonly ReleaseFile[]): Installable[] {
  const full = artifacts.filter(({ kind, available }) => kind === 'full' && available);
  const ids = [...new Set(full.map(({ file_id }) => file_id))];
  const files = ids.flatMap((id) => {
    const targets = full.filter(({ file_id }) => file_id === id);
    return targets[0] ? [{ ...targets[0], targets }] : [];
  });
  return [...files.filter(suits), ...files.filter((file) => !suits(file))];
}

const hasFiles = ({ artifacts = [] }: Release) => filesOf(artifacts).length > 0;

const suits = ({ targets }: Installable) => targets.some(({ platform }) => platform === 'any' || platform === ownPlatform());

function ownPlatform(): string | undefined {
  const told = navigator.platform;
  if (/^win/i.test(told)) return 'windows';
  if (/^mac/i.test(told)) return 'macos';
  return /^linux/i.test(told) && !/android/i.test(navigator.userAgent) ? 'linux' : undefined;
}

const platformNames: Readonly<Record<string, string>> = { windows: 'Windows', macos: 'macOS', linux: 'Linux' };

/** What a file runs on, and its size: `macOS 13.0 or later · arm64 · 88 MB`. */
function needsInWords({ targets, size_bytes }: Installable, list: HTMLElement): string {
  const platforms = targets.map(({ platform, minimum_os }) => {
    const name = platformNames[platform] ?? '';
    return minimum_os === undefined ? name : inPattern(list.dataset['minimum'], { os: `${name} ${minimum_os}`.trim() });
  });
  const archs = targets.map(({ arch }) => arch).filter((arch) => arch !== 'any');
  const facts = [platforms, archs].map((words) => [...new Set(words)].filter((word) => word !== '').join(', '));
  return [...facts, formatSize(size_bytes, locale)].filter((fact) => fact !== '').join(' · ');
}
