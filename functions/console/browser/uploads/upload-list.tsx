import { useEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../frame/use-store.ts';
import { SellerText } from '../text/seller-text.tsx';
import { formatBytes } from '../words/formats.ts';
import { failureWords } from '../words/words.ts';
import { isWorthRetrying, type UploadFailure } from './upload-failure.ts';
import type { UploadPurpose } from './upload-plan.ts';
import { newsOf, type UploadStep, waitOf } from './upload-steps.ts';
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
  const section = useRef<HTMLElement>(null);
  return (
    <section class="uploads" aria-label={say.title} tabIndex={-1} ref={section}>
      <p class="visually-hidden" role="status">
        {useNews(shown)}
      </p>
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

function useNews(shown: readonly Upload[]): string {
  const [news, setNews] = useState('');
  const told = useRef(new Map<string, UploadStep>());
  useEffect(() => {
    const fresh = newsOf(shown, told.current);
    for (const { upload, step } of fresh) told.current.set(upload.key, step);
    if (fresh.length > 0) setNews(fresh.map(({ upload, step }) => say.steps[step](upload.fileName)).join(' '));
  });
  return news;
}

function UploadItem({ upload, onGone }: { upload: Upload; onGone: () => void }) {
  const { key, fileName, sizeBytes, state, hashedBytes, sentBytes, failure } = upload;
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
      {failure && state === 'failed' && <Stopped failure={failure} isKept={sentBytes > 0 && isWorthRetrying(failure.code)} />}
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

function Stopped({ failure: { code, requestId }, isKept }: { failure: UploadFailure; isKept: boolean }) {
  const { title, next } = failureWords(code);
  return (
    <div class="notice bad" role="alert" data-error={code}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{[next, isKept && say.kept, requestId && say.request(requestId)].filter(Boolean).join(' ')}</p>
    </div>
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

function timeOf(secondsLeft: number): string {
  const wait = waitOf(secondsLeft);
  if ('seconds' in wait) return say.seconds(wait.seconds);
  return 'hours' in wait ? say.hours(wait.hours, wait.minutes) : say.minutes(wait.minutes);
}
