import type { ComponentChildren } from 'preact';
import type { OperationId } from '../api/call.ts';

export type ButtonKind = 'main' | 'quiet' | 'danger';

/**
 * The control that sends an operation: the submit button of its form, or, with `onPress`, one of its own. It keeps its size
 * and the focus while it is sent. The second press of a double click is for none: something else may be under the pointer
 * by then than what was pressed first.
 */
export function SendButton({
  operation,
  sending,
  kind = 'main',
  onPress,
  disabled = false,
  target,
  label,
  children,
}: {
  operation: OperationId;
  sending: boolean;
  kind?: ButtonKind;
  onPress?: () => void;
  disabled?: boolean;
  target?: string | undefined;
  /** Its name where what it says does not tell it from others beside it; holds what it says. */
  label?: string;
  children: ComponentChildren;
}) {
  return (
    <button
      type={onPress ? 'button' : 'submit'}
      class={kind === 'main' ? 'button' : `button ${kind}`}
      data-operation={operation}
      data-target={target}
      aria-label={label}
      aria-disabled={sending || undefined}
      aria-busy={sending || undefined}
      disabled={disabled}
      onClick={(event) => {
        if (event.detail > 1) event.preventDefault();
        else if (!sending) onPress?.();
      }}
    >
      {children}
    </button>
  );
}
