import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { SellerText } from '../text/seller-text.tsx';

/** A dialog over the page. The browser keeps the focus in it, gives it back at the end, and closes it at Escape. */
export function Dialog({
  title,
  open,
  onClose,
  children,
}: {
  /** May be in a seller's words, or a buyer's. */
  title: string;
  open: boolean;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      {open && (
        <>
          <h2 id={id} tabIndex={-1} autofocus>
            <SellerText text={title} />
          </h2>
          {children}
        </>
      )}
    </dialog>
  );
}
