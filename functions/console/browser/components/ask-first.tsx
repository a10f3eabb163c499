import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ArgsOf, BodyOf, OperationId } from '../api/call.ts';
import { useSend } from '../api/sends.ts';
import type { NotDone } from '../words/not-done.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { announce, announceDone } from './live.tsx';
import type { ButtonKind } from './send-button.tsx';

interface AskFirstProps<Id extends OperationId> {
  operation: Id;
  args: () => ArgsOf<Id>;
  /** What it is about, where a screen has several of a kind. */
  target?: string;
  /** What the button says. */
  ask: string;
  /** The same for who does not see which row it stands in. */
  label?: string;
  /** Usually what the button says. */
  title?: string;
  kind?: ButtonKind;
  notDone: NotDone;
  /** What is announced when it was done, where that is not plain from the button. */
  said?: string;
  done?: (body: BodyOf<Id>) => void;
  /** The id of what has the focus afterwards, where the button is gone then. */
  focusAfter?: string;
  children: ComponentChildren;
}

/** A button that opens a dialog, which says what happens to whom and sends the operation when that is confirmed. */
export function AskFirst<Id extends OperationId>({
  operation,
  args,
  target,
  ask,
  label,
  title = ask,
  kind = 'danger',
  notDone,
  said,
  done,
  focusAfter,
  children,
}: AskFirstProps<Id>) {
  const [open, setOpen] = useState(false);
  const [times, setTimes] = useState(0);
  const { send, sending, failure, forget } = useSend(operation, {
    done(body) {
      setOpen(false);
      setTimes((count) => count + 1);
      if (said === undefined) announceDone(title);
      else announce(said);
      done?.(body);
    },
  });
  // After the dialog gave the focus back.
  useEffect(() => {
    if (times > 0 && focusAfter !== undefined) document.getElementById(focusAfter)?.focus();
  }, [times]);
  return (
    <>
      <button
        type="button"
        class={target === undefined ? 'button quiet' : 'button quiet small'}
        aria-haspopup="dialog"
        aria-label={label}
        onClick={() => {
          forget();
          setOpen(true);
        }}
      >
        {ask}
      </button>
      <ConfirmDialog
        operation={operation}
        {...(target !== undefined && { target })}
        title={title}
        confirm={ask}
        kind={kind}
        open={open}
        sending={sending}
        failure={failure}
        notDone={notDone}
        onConfirm={() => void send(args())}
        onClose={() => setOpen(false)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
