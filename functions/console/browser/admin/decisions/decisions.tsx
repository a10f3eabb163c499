import { useEffect, useRef, useState } from 'preact/hooks';
import type { OperationId } from '../../api/call.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { readAgain } from '../../api/reads.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { wordOf } from '../../words/words.ts';
import type { Choice, Written } from './decision.ts';
import { DecisionDialog } from './decision-dialog.tsx';
import { say } from './decisions-texts.ts';

/** What can be decided on something, each decision behind a question of its own. */
export function Decisions<Decision extends string>({
  operation,
  target,
  name,
  revision,
  own,
  choices,
  of: { sending, failure, forget },
  onDecide,
}: {
  operation: OperationId;
  target: string;
  /** What it is decided on. */
  name: string;
  /** Which state of it is on the screen. */
  revision?: number;
  /** Whether it is the admin's own. */
  own: boolean;
  choices: readonly Choice<Decision>[];
  of: { sending: boolean; failure: ApiFailure | undefined; forget: () => void };
  /** Sends the decision about the state that was on the screen when it was asked for; says whether it was taken. */
  onDecide: (decision: Decision, written: Written, revision: number | undefined) => Promise<boolean>;
}) {
  const [asked, setAsked] = useState<{ decision: string; revision: number | undefined }>();
  const notice = useRef<HTMLDivElement>(null);
  const outdated = failure && isOutdated(failure) ? failure : undefined;

  function ask(decision: string) {
    forget();
    setAsked({ decision, revision });
  }
  useShortcuts(own ? [] : choices, ask);
  // What was decided on is not there any more as it was: the question goes, and the present state shows.
  useEffect(() => {
    if (!outdated) return;
    setAsked(undefined);
    void readAgain();
    notice.current?.focus();
  }, [outdated]);

  return (
    <>
      <div ref={notice} tabIndex={-1}>
        {outdated && <FailureNotice failure={outdated} what={say.notDecided} kept />}
      </div>
      {own && <p>{say.own}</p>}
      {!own && choices.length === 0 && <p>{say.none}</p>}
      {!own && (
        <p class="buttons">
          {choices.map(({ decision, kind = 'main', letter, refused }) => (
            <button
              key={decision}
              type="button"
              name="decision"
              value={decision}
              class={kind === 'main' ? 'button' : `button ${kind}`}
              disabled={refused !== undefined}
              aria-keyshortcuts={letter && `Alt+${letter}`}
              onClick={() => ask(decision)}
            >
              {wordOf('decision', decision)} {letter && <kbd>Alt+{letter}</kbd>}
            </button>
          ))}
        </p>
      )}
      {!own &&
        choices.map(
          ({ decision, refused }) =>
            refused && (
              <p key={decision} class="small">
                {wordOf('decision', decision)}: {refused}
              </p>
            ),
        )}
      {choices.map((choice) => (
        <DecisionDialog
          key={choice.decision}
          operation={operation}
          target={target}
          choice={choice}
          name={name}
          open={asked?.decision === choice.decision}
          sending={sending}
          failure={outdated ? undefined : failure}
          onDecide={async (written) => {
            const isDecided = await onDecide(choice.decision, written, asked?.revision);
            if (isDecided) setAsked(undefined);
            return isDecided;
          }}
          onClose={() => setAsked(undefined)}
        />
      ))}
    </>
  );
}

/** Whether what was on the screen is not so any more. */
const isOutdated = ({ code, status }: ApiFailure): boolean => code === 'stale_review' || status === 409 || status === 404;

/** Alt and a letter open the question of a decision; nothing is decided by a key alone. */
function useShortcuts(choices: readonly Choice[], ask: (decision: string) => void): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector('dialog[open]')) return;
      const choice = choices.find(({ letter, refused }) => letter && event.code === `Key${letter}` && refused === undefined);
      if (!choice) return;
      event.preventDefault();
      ask(choice.decision);
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
