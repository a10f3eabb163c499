import { useEffect, useRef, useState } from 'preact/hooks';
import type { CheckedId } from '../../api/checked-operations.ts';
import type { ApiFailure } from '../../api/failure.ts';
import { refresh } from '../../api/reads.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { keepDraft } from '../../forms/drafts.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { type Choice, labelOf, type Written } from './decision.ts';
import { DecisionDialog, draftKey } from './decision-dialog.tsx';
import { texts } from './decisions-texts.ts';

interface DecisionsProps<Decision extends string> {
  operation: CheckedId;
  target: string;
  /** What it is decided on. */
  name: string;
  /** Which state of it is on the screen. */
  revision?: number;
  /** Whether it is the admin's own. */
  own: boolean;
  /** Whether it is one of several beside each other, of which nothing is said where nothing can be decided. */
  small?: boolean;
  choices: readonly Choice<Decision>[];
  of: { sending: boolean; failure: ApiFailure | undefined; forget: () => void };
  /** Sends the decision about the state that was looked at; says whether it was taken. */
  onDecide: (body: Decided<Decision>) => Promise<boolean>;
}

/** A decision with what was written beside it, about the state that was looked at. */
type Decided<Decision extends string> = Written & { decision: Decision; expected_revision?: number };

/** What can be decided on something, each decision behind a question of its own. */
export function Decisions<Decision extends string>({
  operation,
  target,
  name,
  revision,
  own,
  small = false,
  choices,
  of: { sending, failure, forget },
  onDecide,
}: DecisionsProps<Decision>) {
  const [asked, setAsked] = useState<{ decision: string; open: boolean }>();
  const group = useRef<HTMLDivElement>(null);
  const looked = useLooked(revision);
  const outdated = failure && isOutdated(failure) ? failure : undefined;
  const possible = own ? [] : choices;
  const choice = possible.find(({ decision }) => decision === asked?.decision);
  const isOpen = asked?.open === true && choice !== undefined;

  function ask(decision: string) {
    forget();
    setAsked({ decision, open: true });
  }
  const close = () => setAsked((last) => last && { ...last, open: false });
  useShortcuts(possible, ask);
  // What was decided on is not there any more as it was: the question goes, and the present state shows.
  useEffect(() => {
    if (!outdated) return;
    close();
    looked.expectNews(true);
    void refresh();
    group.current?.focus();
  }, [outdated]);
  // The button that had the focus may be gone with what could be decided.
  useEffect(() => {
    if (asked && !isOpen && (document.activeElement ?? document.body) === document.body) group.current?.focus();
  }, [isOpen, possible.map(({ decision }) => decision).join()]);

  return (
    <form data-target={target} onSubmit={(event) => event.preventDefault()}>
      <div ref={group} role="group" aria-label={`${texts.title}: ${name}`} tabIndex={-1} class="stack">
        {outdated && <FailureNotice failure={outdated} notDone={texts.notDecided} kept />}
        {looked.isOld && !outdated && (
          <p class="notice warn">
            {texts.changed}{' '}
            <button type="button" class="button quiet" onClick={looked.look}>
              {texts.seen}
            </button>
          </p>
        )}
        {own && !small && <p>{texts.own}</p>}
        {!own && !small && choices.length === 0 && <p>{texts.none}</p>}
        <Choices of={possible} small={small} onAsk={ask} />
        {choice && (
          <DecisionDialog
            key={choice.decision}
            operation={operation}
            target={target}
            choice={choice}
            name={name}
            open={isOpen}
            sending={sending}
            failure={outdated ? undefined : failure}
            onDecide={async (written) => {
              looked.expectNews(true);
              const revisionSeen = looked.revision !== undefined && { expected_revision: looked.revision };
              const isDecided = await onDecide({ ...written, decision: choice.decision, ...revisionSeen });
              if (isDecided) {
                close();
                // What was typed for another decision is of no use any more.
                for (const { decision } of choices) keepDraft(draftKey(operation, target, decision), undefined);
              } else looked.expectNews(false);
              return isDecided;
            }}
            onClose={close}
          />
        )}
      </div>
    </form>
  );
}

/** A button for each decision, and why some cannot be taken. */
function Choices({ of: choices, small, onAsk }: { of: readonly Choice[]; small: boolean; onAsk: (decision: string) => void }) {
  return (
    <>
      {choices.length > 0 && (
        <p class="buttons">
          {choices.map((one) => (
            <button
              key={one.decision}
              type="button"
              name="decision"
              value={one.decision}
              class={`button ${small ? 'quiet small' : (one.kind ?? 'main')}`}
              disabled={one.refused !== undefined}
              aria-haspopup="dialog"
              aria-keyshortcuts={one.letter && `Alt+${one.letter}`}
              onClick={() => onAsk(one.decision)}
            >
              {labelOf(one)} {one.letter && <kbd>Alt+{one.letter}</kbd>}
            </button>
          ))}
        </p>
      )}
      {choices.map(
        (one) =>
          one.refused && (
            <p key={one.decision} class="small">
              <SellerText text={`${labelOf(one)}: ${one.refused}`} />
            </p>
          ),
      )}
    </>
  );
}

/** Whether what was on the screen is not so any more. */
const isOutdated = ({ code, status }: ApiFailure): boolean => code === 'stale_review' || status === 409 || status === 404;

/**
 * Which state was looked at: what a screen reads by itself later is news, until somebody says that they have seen it. So a
 * decision is never about what came in the meantime.
 */
function useLooked(revision: number | undefined) {
  const [looked, setLooked] = useState(revision);
  const isExpected = useRef(false);
  // What an own decision made, or what was read because nothing was decided, is looked at anyway.
  if (isExpected.current && revision !== looked) {
    isExpected.current = false;
    setLooked(revision);
  }
  return {
    revision: looked,
    isOld: looked !== revision && !isExpected.current,
    look: () => setLooked(revision),
    expectNews(expected: boolean) {
      isExpected.current = expected;
    },
  };
}

/** Alt and a letter open the question of a decision; nothing is decided by a key alone. */
function useShortcuts(choices: readonly Choice[], ask: (decision: string) => void): void {
  useEffect(() => {
    if (!choices.some(({ letter }) => letter)) return;
    function onKeyDown(event: KeyboardEvent) {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector('dialog[open]')) return;
      const choice = choices.find(({ letter, refused }) => event.code === `Key${letter}` && refused === undefined);
      if (!choice) return;
      event.preventDefault();
      ask(choice.decision);
    }
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
}
