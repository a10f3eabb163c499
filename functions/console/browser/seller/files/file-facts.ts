import type { ProductFile } from '../../../../../build/client.ts';
import { isBeingChecked } from '../releases/release-files.ts';

type Facts = Pick<ProductFile, 'status' | 'hash_status' | 'hash_error' | 'scan_status' | 'scan_trusted_clean' | 'visibility'>;

/**
 * The first thing that keeps a file from its buyers, as far as its seller can or need do something about it; undefined where
 * nothing does, or nobody knows yet.
 */
export function obstacleOf(file: Facts) {
  const { status, hash_status, hash_error, scan_status } = file;
  if (status === 'upload_pending') return 'unfinished';
  if (scan_status === 'infected') return 'infected';
  if (hash_error?.startsWith('picture_')) return 'no_picture';
  if (status === 'rejected') return 'turned_down';
  if (status === 'disabled') return 'withdrawn';
  if (hash_status === 'mismatch') return 'unlike';
  if (hash_status === 'error') return 'unreadable';
  if (status === 'approved') return file.visibility === 'private' ? 'private' : undefined;
  return scan_status === 'error' && !file.scan_trusted_clean ? 'unscanned' : undefined;
}

export type Obstacle = NonNullable<ReturnType<typeof obstacleOf>>;

/** Whether a file was taken back, or is no more, and nothing about it waits for anybody. */
export const isGone = ({ status, scan_status }: Pick<ProductFile, 'status' | 'scan_status'>): boolean =>
  status === 'disabled' && scan_status !== 'infected';

/** Whether its seller can take it back. */
export const isWithdrawable = ({ status }: Pick<ProductFile, 'status'>): boolean => status !== 'rejected' && status !== 'disabled';

/** How soon to look again at what is being checked, in milliseconds: soon after the upload; false where nothing is. */
export function pollEvery(files: readonly ProductFile[], now: number): number | false {
  const since = files.filter((file) => isBeingChecked(file, now)).map(({ uploaded_at: at }) => (at ? Date.parse(at) : now));
  return since.length > 0 && (Math.max(...since) > now - 60_000 ? 2_000 : 10_000);
}

/** Where pictures are that buyers see, by their files; an address holds the id of its file. */
export const picturesByFile = (images: readonly { url: string }[]): ReadonlyMap<string, string> =>
  new Map(images.map(({ url }) => [url.split('/').at(-2) ?? '', url]));
