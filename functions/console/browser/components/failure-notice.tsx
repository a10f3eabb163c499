import type { ApiFailure } from '../api/failure.ts';
import { session } from '../session/session.ts';
import type { NotDone } from '../words/not-done.ts';
import { failureWords } from '../words/words.ts';
import { texts } from './parts-texts.ts';

/** What did not happen and why, what was kept, what to do next, and the number to quote. */
export function FailureNotice({
  failure,
  notDone,
  kept = false,
  onRetry,
}: {
  failure: ApiFailure;
  notDone: NotDone;
  /** Whether something was typed, which is still there. */
  kept?: boolean;
  onRetry?: (() => void) | undefined;
}) {
  const { code, requestId, retryAfterSeconds } = failure;
  const { title, next } = failureWords(code);
  // Where the session is over, that is told of once, with the way back in.
  const isOver = code === 'unauthenticated' && session.get().name === 'over';
  return (
    <div class="notice bad" role={isOver ? undefined : 'alert'} data-error={isOver ? undefined : code}>
      <p>
        <strong>{notDone} </strong>
        {title}
      </p>
      <p>
        {next} {kept && texts.kept} {failure.passes && retryAfterSeconds > 0 && onRetry && texts.waits(retryAfterSeconds)}
      </p>
      {requestId !== '' && (
        <p class="small">
          {texts.requestNumber}: <code>{requestId}</code>
        </p>
      )}
      {!isOver && onRetry && (
        <button type="button" class="button quiet" data-action="retry" onClick={onRetry}>
          {texts.tryAgain}
        </button>
      )}
    </div>
  );
}
