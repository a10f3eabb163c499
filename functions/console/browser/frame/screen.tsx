import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SellerText } from '../text/seller-text.tsx';
import { texts } from './frame-texts.ts';

/** A way back from a screen to that which it belongs to. */
export interface Crumb {
  href: string;
  text: string;
}

/** Every screen: its one heading, which has the focus when the screen is new, and the title of the page. */
export function Screen({
  title,
  back,
  lead,
  actions,
  children,
}: {
  /** May be in a seller's words. */
  title: string;
  back?: Crumb;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = `${title} | ${texts.console}`;
  }, [title]);
  return (
    <>
      {back && (
        <p class="back">
          <a href={back.href}>← {back.text}</a>
        </p>
      )}
      <div class="head">
        <h1 ref={heading} tabIndex={-1}>
          <SellerText text={title} />
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {lead && <div class="lead">{lead}</div>}
      {children}
    </>
  );
}
