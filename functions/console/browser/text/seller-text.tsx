import { markedText } from './marked-text.ts';
import { texts } from './texts.ts';
import { webAddressOf } from './web-address.ts';

/**
 * What a seller, or anybody else, wrote: it cannot turn the words around it, and what nobody would see in it shows.
 * Texts that may have several lines are `multiline`; in others a line end is a mark.
 */
export function SellerText({ text, multiline = false }: { text: string; multiline?: boolean }) {
  return (
    <bdi dir="auto" class={multiline ? 'lines' : undefined}>
      <Marked text={text} multiline={multiline} />
    </bdi>
  );
}

/** The pieces of a text, for whoever has them in an element of their own that keeps their direction. */
export function Marked({ text, multiline }: { text: string; multiline: boolean }) {
  return markedText(text, multiline).map((piece, index) => {
    if (piece.kind === 'plain') return piece.text;
    const said = piece.kind === 'mark' ? `${piece.label}: ${texts.marks[piece.mark]}` : texts.mixed;
    return piece.kind === 'mark' ? (
      <span key={index} class="mark" role="img" title={said} aria-label={said}>
        {piece.label}
      </span>
    ) : (
      <span key={index} class="mixed" title={said}>
        {piece.text}
        <Sign said={said} />
      </span>
    );
  });
}

const Sign = ({ said }: { said: string }) => (
  <span class="sign" role="img" title={said} aria-label={said}>
    ⚠
  </span>
);

/** An address that somebody else wrote, to be opened on request; what is no address of the web is shown as text. */
export function SellerLink({ href }: { href: string }) {
  const address = webAddressOf(href);
  if (!address) return <SellerText text={href} />;
  return (
    <bdi>
      <a href={address.href} target="_blank" rel="noopener noreferrer" title={texts.newTab}>
        {address.href}
      </a>
      {address.foreign && <Sign said={texts.foreign} />}
    </bdi>
  );
}
