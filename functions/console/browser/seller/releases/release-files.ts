import type { ProductFile } from '../../../../../build/client.ts';

/** How long a check of a file is waited for before it is no longer looked at again and again. */
const patienceMs = 30 * 60_000;

/** Whether the service still checks the file, and its state will change by itself. */
export function isBeingChecked({ status, hash_status, scan_status, uploaded_at }: ProductFile, now: number): boolean {
  if (status !== 'pending_review' || uploaded_at === undefined || now - Date.parse(uploaded_at) > patienceMs) return false;
  return hash_status === 'unverified' || (hash_status === 'verified' && scan_status === 'not_scanned');
}

/** How the checks of a file stand: the kind of word, and the state. The first that is not well says it. */
export const checkOf = ({ status, hash_status, scan_status }: ProductFile): readonly ['file' | 'hash' | 'scan', string] => {
  if (status !== 'pending_review') return ['file', status];
  return hash_status === 'verified' ? ['scan', scan_status] : ['hash', hash_status];
};

/** The version that has each file, of the releases read. */
export const versionsByFile = (
  releases: readonly { version: string; artifacts: readonly { file_id: string }[] }[],
): ReadonlyMap<string, string> =>
  new Map(releases.flatMap(({ version, artifacts }) => artifacts.map(({ file_id }) => [file_id, version] as const)));

/** The files that a release can be made of, newest first: those for releases, that are not gone. */
export const usableFiles = (files: readonly ProductFile[]): ProductFile[] =>
  files.filter(({ purpose, status }) => purpose === 'release' && status !== 'rejected' && status !== 'disabled');
