import { useEffect, useRef } from 'preact/hooks';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { useNews } from '../parts/live.tsx';
import { useStore } from '../store/use-store.ts';
import { SellerText } from '../text/seller-text.tsx';
import { formatBytes } from '../words/formats.ts';
import { failureWords } from '../words/words.ts';
import { isWorthRetrying } from './upload-failure.ts';
import type { UploadPurpose } from './upload-plan.ts';
import type { Upload } from './upload-store.ts';
import { say } from './upload-texts.ts';
import { cancel, dismiss, pause, resume, uploadEnds, uploads } from './uploads.ts';

/**
 * The uploads of a product, with what can be done about each. `onEnd` is called when a file came or was taken back, so
 * that whoever lists files reads again.
 */
export function Uploads({ productId, purpose, onEnd }: { productId: string; purpose?: UploadPurpose; onEnd?: () => void }) {
  const all = useStore(uploads);
  const shown = all.filter((upload) => upload.productId === productId && (purpose === undefined || upload.purpose === purpose));
  useEffect(() => (onEnd ? uploadEnds.subscribe(onEnd) : undefined), [onEnd]);
  // The newest comes first, or nobody would hear of it.
  useNews(Object.fromEntries(shown.toReversed().map((upload) => [upload.key, `${upload.fileName}: ${stepOf(upload)}`])));
  const section = useRef<HTMLElement>(null);
  return (
    <section class="uploads" aria-label={say.title} tabIndex={-1} ref={section}>
      {shown.length > 0 && (
        <ul class="plain stack">
          {shown.map((upload) => (
            <UploadItem key={upload.key} upload={upload} onGone={() => section.current?.focus()} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** What is said aloud of an upload: a few steps, and no percentages. */
const stepOf = ({ state, sentBytes, sizeBytes }: Upload): string =>
  (state === 'sending' || state === 'finishing') && sentBytes * 2 >= sizeBytes ? say.half : say.states[state];

function UploadItem({ upload, onGone }: { upload: Upload; onGone: () => void }) {
  const { key, fileName, sizeBytes, state, hashedBytes, sentBytes, failure, isNotCancelled } = upload;
  const id = `${key}-name`;
  const isHashing = state === 'hashing' || (state === 'paused' && hashedBytes < sizeBytes);
  const done = isHashing ? hashedBytes : sentBytes;
  return (
    <li class="upload card" data-upload={state}>
      <p class="title" id={id}>
        <SellerText text={fileName} />
      </p>
      <p>{say.states[state]}</p>
      {failure && state === 'waiting' && <p>{failure.status === 401 ? say.signIn : failureWords(failure.code).title}</p>}
      {failure && state === 'failed' && (
        <>
          <FailureNotice failure={failure} notDone={isNotCancelled ? say.notCancelled : say.notUploaded} />
          {sentBytes > 0 && isWorthRetrying(failure.code) && <p>{say.kept}</p>}
        </>
      )}
      {state !== 'failed' && state !== 'elsewhere' && state !== 'done' && (
        <>
          <progress max={sizeBytes} value={done} aria-labelledby={id} />
          <p class="small">{[say.of(formatBytes(done), formatBytes(sizeBytes)), ...paceOf(upload)].join(' · ')}</p>
        </>
      )}
      <p class="buttons">
        <Actions upload={upload} describedBy={id} onGone={onGone} />
      </p>
    </li>
  );
}

/** One button changes from pausing to going on, so that whoever pressed it stays on it. */
function Actions({ upload: { key, state, failure }, describedBy, onGone }: { upload: Upload; describedBy: string; onGone: () => void }) {
  const button = (text: string, onClick: () => void, action?: string) => (
    <button type="button" class="button quiet small" data-action={action} aria-describedby={describedBy} onClick={onClick}>
      {text}
    </button>
  );
  const leave = (end: (key: string) => unknown) => () => {
    onGone();
    void end(key);
  };
  if (state === 'done') return button(say.dismiss, leave(dismiss));
  const mayPause = state === 'hashing' || state === 'sending' || state === 'waiting';
  const mayRetry = state === 'failed' && failure !== undefined && isWorthRetrying(failure.code);
  return (
    <>
      {mayPause
        ? button(say.pause, () => pause(key), 'pause')
        : state === 'paused'
          ? button(say.resume, () => resume(key), 'resume')
          : mayRetry && button(say.retry, () => resume(key), 'retry')}
      {button(say.cancel, leave(cancel), 'cancel')}
    </>
  );
}

function paceOf({ bytesPerSecond, secondsLeft }: Upload): string[] {
  if (bytesPerSecond === undefined) return [];
  const pace = [say.perSecond(formatBytes(bytesPerSecond))];
  return secondsLeft === undefined ? pace : [...pace, say.left(timeOf(secondsLeft))];
}

/** In the units that people wait in; to five seconds below a minute, which jumps less. */
function timeOf(seconds: number): string {
  if (seconds < 57.5) return say.seconds(Math.max(5, Math.ceil(seconds / 5) * 5));
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? say.minutes(minutes) : say.hours(Math.floor(minutes / 60), minutes % 60);
}
