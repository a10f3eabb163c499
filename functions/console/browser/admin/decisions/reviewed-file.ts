import type { BodyOf } from '../../api/call.ts';

/** A file as admins see it. */
export type ReviewedFile = BodyOf<'getProductForReview'>['files'][number];

type Judged = Pick<ReviewedFile, 'status' | 'hash_status' | 'scan_status' | 'scan_trusted_clean'>;

/** Whether more will be found out about the file by itself. */
export const isBeingChecked = ({ hash_status, scan_status, scan_trusted_clean }: Judged): boolean =>
  hash_status === 'unverified' || (hash_status === 'verified' && scan_status === 'not_scanned' && !scan_trusted_clean);

/** Whether the checks of a file that waits are under way, or the scan that an admin asked for. */
export const isUnsettled = (file: Judged & Pick<ReviewedFile, 'was_infected'>): boolean =>
  (file.status === 'pending_review' || file.was_infected === true) && isBeingChecked(file);

/** Whether the file can be scanned anew: its scan failed, or found something. */
export const isRescannable = ({ hash_status, scan_status }: Judged): boolean =>
  hash_status === 'verified' && (scan_status === 'error' || scan_status === 'infected');

/** With which code the API would refuse to approve a release with this file; undefined where it would not. */
export function releaseRefusalCode(file: Judged) {
  if (file.status !== 'pending_review' && file.status !== 'approved') return 'file_state_conflict';
  return approvalRefusalCode(file);
}

/** With which code the API would refuse to approve the file for what was found out about its bytes. */
export function approvalRefusalCode({ hash_status, scan_trusted_clean }: Judged) {
  if (hash_status !== 'verified') return 'file_not_verified';
  return scan_trusted_clean ? undefined : 'file_not_trusted_clean';
}
