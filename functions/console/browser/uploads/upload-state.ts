import type { ApiFailure } from '../api/failure.ts';
import type { FoundUpload } from './find-upload.ts';
import { remedyOf } from './upload-failure.ts';

export type UploadState = 'hashing' | 'sending' | 'paused' | 'waiting' | 'finishing' | 'done' | 'failed' | 'elsewhere';

/** What is done under the lock of the file, one after the other. */
export type UploadTask =
  | { name: 'find' | 'declare' | 'send' | 'finalize' | 'finalize again' | 'sign in' }
  | { name: 'wait'; seconds: number }
  /** Whether the file that cannot be finalized, for that reason, is there. */
  | { name: 'look again'; failure: ApiFailure };

/** How far an upload is. */
export interface UploadProcess {
  state: UploadState;
  /** None before the lock is there, and where nothing runs. */
  task: UploadTask | undefined;
  /** While it waits, and when it failed. */
  failure: ApiFailure | undefined;
  fileId: string | undefined;
  /** Where the parts go; its own, where it was declared for this upload. */
  target: { fileId: string; isOwn: boolean } | undefined;
  /** Files that turned out to take no more parts. */
  ended: ReadonlySet<string>;
  /** Whether the same file that is there already is as good. */
  reuse: boolean;
  /** Whether another tab has the lock. */
  isElsewhere: boolean;
  /** Whether a declaration may have arrived whose reply did not. */
  mayBeDeclared: boolean;
  renewals: number;
  /** Failures in a row, without one part more being stored. */
  failures: number;
  hasAdvanced: boolean;
}

export type UploadEvent =
  /** Begins it, or goes on after a pause or a failure. */
  | { name: 'resume'; isHashed: boolean }
  | { name: 'pause' }
  /** Another tab has the lock. */
  | { name: 'locked out' }
  | { name: 'locked' }
  | { name: 'found'; found: FoundUpload | undefined }
  | { name: 'declared'; fileId: string }
  | { name: 'part stored' }
  | { name: 'sent' }
  | { name: 'finalized' }
  | { name: 'waited' }
  | { name: 'failed'; failure: ApiFailure }
  | { name: 'withdrawn'; fileId: string };

/** So often an upload that ended before it was finalized is begun anew. */
const maxRenewals = 2;

/** An upload that is not begun. */
export const newUpload = (reuse: boolean): UploadProcess => ({
  state: 'paused',
  task: undefined,
  failure: undefined,
  fileId: undefined,
  target: undefined,
  ended: new Set(),
  reuse,
  isElsewhere: false,
  mayBeDeclared: false,
  renewals: 0,
  failures: 0,
  hasAdvanced: false,
});

/** The upload after what happened; the same where that is not of what it does. */
export function nextUpload(upload: UploadProcess, event: UploadEvent): UploadProcess {
  const { task } = upload;
  const isFree = task === undefined && (upload.state === 'hashing' || upload.state === 'sending' || upload.state === 'elsewhere');
  switch (event.name) {
    case 'resume':
      return { ...upload, state: event.isHashed ? 'sending' : 'hashing', task: undefined, failure: undefined };
    case 'pause':
      return { ...upload, state: 'paused', task: undefined, failure: undefined };
    case 'withdrawn':
      return { ...upload, ...without(upload, event.fileId) };
    case 'locked out':
      // Whatever comes of it there is what was wanted here.
      return isFree ? { ...upload, state: 'elsewhere', isElsewhere: true, reuse: true } : upload;
    case 'locked':
      return isFree ? goingOn({ ...upload, isElsewhere: false, failures: 0, hasAdvanced: false }) : upload;
    case 'failed':
      return task ? failed(upload, task, event.failure) : isFree ? { ...upload, state: 'failed', failure: event.failure } : upload;
    default:
      return task ? worked(upload, task, event) : upload;
  }
}

type TaskEvent = Exclude<UploadEvent, { name: 'resume' | 'pause' | 'withdrawn' | 'locked out' | 'locked' | 'failed' }>;

/** After what is under way went well. */
function worked(upload: UploadProcess, task: UploadTask, event: TaskEvent): UploadProcess {
  switch (event.name) {
    case 'found':
      if (task.name === 'find') return found(upload, event.found);
      return task.name === 'look again' ? lookedAgain(upload, task.failure, event.found) : upload;
    case 'declared':
      return task.name === 'declare' ? sendingTo(upload, { fileId: event.fileId, isOwn: true }) : upload;
    case 'part stored':
      // Something went well, so what was waited for is over.
      return task.name === 'send' ? { ...upload, state: 'sending', failure: undefined, hasAdvanced: true } : upload;
    case 'sent':
      return task.name === 'send' ? { ...upload, state: 'finishing', task: { name: 'finalize' } } : upload;
    case 'finalized':
      return task.name === 'finalize' || task.name === 'finalize again' ? done(upload) : upload;
    case 'waited':
      return task.name === 'wait' || task.name === 'sign in' ? goingOn(upload) : upload;
  }
}

/** After it failed. What a file that takes no parts says may have a mend: it was put together, or its day is over, or someone withdrew it. */
function failed(upload: UploadProcess, task: UploadTask, failure: ApiFailure): UploadProcess {
  const { target } = upload;
  const { code } = failure;
  const isOfFile = task.name === 'send' || task.name === 'finalize';
  if (!target || !(isOfFile || task.name === 'finalize again')) return remedied(upload, failure);
  if (code === 'upload_not_found') return begunAnew(upload, failure);
  // Someone else declared it in parts of another size.
  if (isOfFile && !target.isOwn && ['other_parts', 'invalid_request', 'file_mismatch'].includes(code)) return searching(upload);
  if (code !== 'file_state_conflict') return remedied(upload, failure);
  return { ...upload, task: isOfFile ? { name: 'finalize again' } : { name: 'look again', failure } };
}

function remedied(upload: UploadProcess, failure: ApiFailure): UploadProcess {
  const failures = upload.hasAdvanced ? 1 : upload.failures + 1;
  const remedy = remedyOf(failure, failures);
  const now = { ...upload, failure, failures, hasAdvanced: false };
  if (remedy.name === 'give-up' || upload.task?.name === 'wait' || upload.task?.name === 'sign in')
    return { ...now, state: 'failed', task: undefined };
  return { ...now, state: 'waiting', task: remedy.name === 'wait' ? remedy : { name: 'sign in' } };
}

const done = (upload: UploadProcess, fileId = upload.fileId): UploadProcess => ({
  ...upload,
  state: 'done',
  task: undefined,
  failure: undefined,
  fileId,
});

const goingOn = (upload: UploadProcess): UploadProcess => ({
  ...upload,
  state: 'sending',
  task: { name: upload.target ? 'send' : 'find' },
  failure: undefined,
});

const sendingTo = (upload: UploadProcess, target: NonNullable<UploadProcess['target']>): UploadProcess => ({
  ...upload,
  target,
  fileId: target.fileId,
  task: { name: 'send' },
});

function found(upload: UploadProcess, known: FoundUpload | undefined): UploadProcess {
  if (!known) return { ...upload, task: { name: 'declare' }, mayBeDeclared: true };
  return known.isDone ? done(upload, known.fileId) : sendingTo(upload, { fileId: known.fileId, isOwn: false });
}

function lookedAgain(upload: UploadProcess, failure: ApiFailure, known: FoundUpload | undefined): UploadProcess {
  if (known?.isDone && known.fileId === upload.target?.fileId) return done(upload);
  return upload.target?.isOwn ? remedied({ ...upload, ...without(upload, upload.target.fileId) }, failure) : searching(upload);
}

/** A second time in vain would be a fault that no new file mends. */
function begunAnew(upload: UploadProcess, failure: ApiFailure): UploadProcess {
  const renewals = upload.renewals + (upload.target?.isOwn ? 1 : 0);
  return renewals > maxRenewals ? remedied({ ...upload, renewals }, failure) : searching({ ...upload, renewals });
}

/** Looks for another file than the one that it was. */
const searching = (upload: UploadProcess): UploadProcess =>
  goingOn({ ...upload, ...(upload.target && without(upload, upload.target.fileId)) });

const without = ({ ended }: UploadProcess, fileId: string) => ({ ended: new Set([...ended, fileId]), target: undefined });
