import { Due } from '../../parts/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { Move, Publish, Yank } from './moves.tsx';
import { say } from './release-texts.ts';
import type { ReleaseProps } from './use-release.ts';

/** Where a release that was handed in stands, and what can be done with it. */
export function Lifecycle({ release, product, keep }: ReleaseProps) {
  const { status, rollout_percent: percent, yank_reason: reason, version } = release;
  const move = { release, keep };
  // Whatever happened to the product, a release can be taken back.
  const isSuspended = product?.status === 'suspended';
  return (
    <section class="card">
      {isSuspended && <p class="notice warn">{say.suspended}</p>}
      {status === 'pending_review' && (
        <p>
          {say.pending} {release.review_due_at && <Due at={release.review_due_at} />}
        </p>
      )}
      {status === 'approved' && (
        <>
          <p>{say.approved}</p>
          <p>{say.publishText}</p>
        </>
      )}
      {status === 'published' && percent === 0 && <p>{say.paused}</p>}
      {(status === 'approved' || status === 'published') && !isSuspended && <Publish {...move} />}
      {(status === 'pending_review' || status === 'approved') && <Move operation="withdrawRelease" kind="quiet" {...move} />}
      {status === 'published' && (
        <p class="buttons">
          {product && (
            <a
              href={`/p/${encodeURIComponent(product.slug)}/releases?channel=${release.channel}#v${version}`}
              target="_blank"
              rel="noopener"
            >
              {say.page}
            </a>
          )}
        </p>
      )}
      {status === 'published' && <Yank {...move} />}
      {status === 'yanked' && (
        <>
          <p>{say.yankedText}</p>
          {reason !== undefined && (
            <p>
              {say.fields.reason}: <SellerText text={reason} />
            </p>
          )}
        </>
      )}
    </section>
  );
}
