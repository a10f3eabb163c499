import { SellerText } from '../../text/seller-text.tsx';
import { shortId } from './targets.ts';

/** A link that is called by an id. */
export const IdLink = ({ href, id }: { href: string; id: string }) => (
  <a href={href}>
    <code title={id}>
      <SellerText text={shortId(id)} />
    </code>
  </a>
);
