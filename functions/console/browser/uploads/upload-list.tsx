import { useEffect, useRef } from 'preact/hooks';
import { FailureNotice } from '../components/failure-notice.tsx';
import { useAnnouncements } from '../components/live.tsx';
import { useStore } from '../store/use-store.ts';
import { SellerText } from '../text/seller-text.tsx';
import { formatBytes } from '../words/formats.ts';
import { failureWords } from '../words/words.ts';
import { isWorthRetrying } from './upload-failure.ts';
import type { UploadPurpose } from './upload-plan.ts';
import type { Upload } from './upload-store.ts';
import { texts } from './upload-texts.ts';
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
  useAnnouncements(Object.fromEntries(shown.toReversed().map((upload) => [upload.key, `${upload.fileName}: ${stepOf(upload)}`])));
  const section = useRef<HTMLElement>(null);
  return (
    <section class="uploads" aria-label={texts.title} tabIndex={-1} ref={section}>
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
  (state === 'sending' || state === 'finishing') && sentBytes * 2 >= sizeBytes ? texts.half : texts.states[state];

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
      <p>{texts.states[state]}</p>
      {failure && state === 'waiting' && <p>{failure.status === 401 ? texts.signIn : failureWords(failure.code).title}</p>}
      {failure && state === 'failed' && (
        <>
          <FailureNotice failure={failure} notDone={isNotCancelled ? texts.notCancelled : texts.notUploaded} />
          {sentBytes > 0 && isWorthRetrying(failure.code) && <p>{texts.kept}</p>}
        </>
      )}
      {state !== 'failed' && state !== 'elsewhere' && state !== 'done' && (
        <>
          <progress max={sizeBytes} value={done} aria-labelledby={id} />
          <p class="small">{[texts.of(formatBytes(done), formatBytes(sizeBytes)), ...paceOf(upload)].join(' · ')}</p>
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
  if (state === 'done') return button(texts.dismiss, leave(dismiss));
  const mayPause = state === 'hashing' || state === 'sending' || state === 'waiting';
  const mayRetry = state === 'failed' && failure !== undefined && isWorthRetrying(failure.code);
  return (
    <>
      {mayPause
        ? button(texts.pause, () => pause(key), 'pause')
        : state === 'paused'
          ? button(texts.resume, () => resume(key), 'resume')
          : mayRetry && button(texts.retry, () => resume(key), 'retry')}
      {button(texts.cancel, leave(cancel), 'cancel')}
    </>
  );
}

function paceOf({ bytesPerSecond, secondsLeft }: Upload): string[] {
  if (bytesPerSecond === undefined) return [];
  const pace = [texts.perSecond(formatBytes(bytesPerSecond))];
  return secondsLeft === undefined ? pace : [...pace, texts.left(timeOf(secondsLeft))];
}

/** In the units that people wait in; to five seconds below a minute, which jumps less. */
function timeOf(seconds: number): string {
  if (seconds < 57.5) return texts.seconds(Math.max(5, Math.ceil(seconds / 5) * 5));
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? texts.minutes(minutes) : texts.hours(Math.floor(minutes / 60), minutes % 60);
}
