import { useEffect, useState } from 'preact/hooks';
import type { ArgsOf, BodyOf, OperationId } from '../api/call.ts';
import { useSend } from '../api/sends.ts';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';
import { announce, announceDone } from './live.tsx';

interface AskFirstProps<Id extends OperationId> extends Pick<ConfirmDialogProps, 'target' | 'kind' | 'notDone' | 'children'> {
  operation: Id;
  args: () => ArgsOf<Id>;
  /** What the button says. */
  ask: string;
  /** The same for who does not see which row it stands in. */
  label?: string;
  /** Of the dialog; usually what the button says. */
  title?: string;
  /** What is announced when it was done, where that is not plain from the button. */
  said?: string;
  done?: (body: BodyOf<Id>) => void;
  /** The id of what has the focus afterwards, where the button is gone then. */
  focusAfter?: string;
}

/** A button that opens a dialog, which says what happens to whom and sends the operation when that is confirmed. */
export function AskFirst<Id extends OperationId>({ args, ask, label, said, done, focusAfter, ...asked }: AskFirstProps<Id>) {
  const { operation, target, title = ask, kind = 'danger' } = asked;
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
        {...asked}
        {...{ title, confirm: ask, kind, open, sending, failure }}
        onConfirm={() => void send(args())}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
