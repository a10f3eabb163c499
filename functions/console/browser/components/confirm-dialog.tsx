import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { OperationId } from '../api/call.ts';
import type { ApiFailure } from '../api/failure.ts';
import type { NotDone } from '../words/not-done.ts';
import { Dialog } from './dialog.tsx';
import { FailureNotice } from './failure-notice.tsx';
import { texts } from './parts-texts.ts';
import { type ButtonKind, SendButton } from './send-button.tsx';

export interface ConfirmDialogProps {
  operation: OperationId;
  /** What it is about, where a screen has several of a kind. */
  target?: string | undefined;
  title: string;
  /** What the confirming button says. */
  confirm: string;
  kind?: ButtonKind;
  open: boolean;
  sending: boolean;
  failure: ApiFailure | undefined;
  notDone: NotDone;
  /** Whether it stands in the form that it confirms. */
  isInForm?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * Asks before something is done that somebody will feel: says what happens to whom. Enter alone never confirms: the
 * focus begins at the title, and fields of `children` belong to a form with this dialog's buttons only by a press.
 */
export function ConfirmDialog({ confirm, kind = 'main', isInForm = false, onConfirm, children, ...dialog }: ConfirmDialogProps) {
  const { operation, target, sending, failure, notDone, onClose } = dialog;
  // How to sign in again is told below the screen, out of reach while this is open.
  useEffect(() => {
    if (failure?.code === 'unauthenticated') onClose();
  }, [failure]);
  const Body = isInForm ? 'div' : 'form';
  return (
    <Dialog title={dialog.title} open={dialog.open} onClose={onClose}>
      <Body data-target={target} onSubmit={(event: Event) => event.preventDefault()}>
        {children}
        {failure && <FailureNotice failure={failure} notDone={notDone} kept />}
        <p class="buttons">
          <SendButton operation={operation} target={target} sending={sending} kind={kind} onPress={onConfirm}>
            {confirm}
          </SendButton>
          <button type="button" class="button quiet" onClick={onClose}>
            {texts.cancel}
          </button>
        </p>
      </Body>
    </Dialog>
  );
}
