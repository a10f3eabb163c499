import type { Release } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Due, When } from '../../components/when.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { useParam } from '../../frame/location.ts';
import { Screen } from '../../frame/screen.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { formatBytes } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { productPath } from '../products/product.ts';
import { keysOf } from './artifact-values.ts';
import { DraftScreen } from './draft.tsx';
import { fields, texts } from './release-texts.ts';
import { artifactWords, StateOf } from './release-words.tsx';
import { Publish, TransitionButton, Yank } from './transitions.tsx';
import { type ReleaseProps, useRelease } from './use-release.ts';

/** One release of a product: to be made as long as it is a draft, then to be followed and brought out. */
export function ReleaseScreen() {
  const [productId, version] = [useParam('product_id'), useParam('version')];
  const product = useRead('getProduct', { path: { product_id: productId } }).body;
  const { read, isMissing, releases, keep } = useRelease(productId, version);
  const { body } = read;
  return (
    <Screen
      title={isMissing ? texts.unknown : version}
      back={{ href: `${productPath(productId)}/releases`, text: texts.releases }}
      lead={
        body && (
          <>
            <StateOf release={body} /> {product && <SellerText text={product.name} />}
          </>
        )
      }
    >
      {!isMissing && (
        <Loaded of={read}>
          {(release) => {
            const props = { release, product, releases, keep };
            return release.status === 'draft' ? <DraftScreen {...props} /> : <SubmittedRelease {...props} />;
          }}
        </Loaded>
      )}
    </Screen>
  );
}

/** A release that nobody can edit any more: where it stands, what can be done with it, and what it is. */
function SubmittedRelease({ release, product, keep }: ReleaseProps) {
  const { status, artifacts } = release;
  const move = { release, keep };
  // Whatever happened to the product, a release can be taken back.
  const isSuspended = product?.status === 'suspended';
  const isOut = status === 'published';
  const keys = keysOf(artifacts);
  return (
    <>
      {isSuspended && <p class="notice warn">{texts.suspended}</p>}
      {status !== 'yanked' && (
        <section class="card">
          {release.review_due_at && (
            <p>
              {texts.submitText} {wordOf('release', status)}: <Due at={release.review_due_at} />
            </p>
          )}
          {status === 'approved' && <p>{texts.publishText}</p>}
          {(isOut || status === 'approved') && !isSuspended && <Publish {...move} />}
          {isOut ? <Yank {...move} /> : <TransitionButton operation="withdrawRelease" kind="quiet" {...move} />}
          {isOut && product && (
            <p>
              <a
                href={`/p/${encodeURIComponent(product.slug)}/releases?channel=${release.channel}#v${release.version}`}
                target="_blank"
                rel="noopener"
              >
                {texts.page}
              </a>
            </p>
          )}
        </section>
      )}
      <Contents of={release} />
      <section>
        <h2>{texts.files}</h2>
        <DataTable
          label={texts.files}
          rows={artifacts.map((artifact, at) => ({ ...artifact, id: keys[at] ?? '' }))}
          columns={[
            { name: fields.file_id, of: ({ file_name }) => file_name },
            { name: fields.platform, of: artifactWords },
            { name: texts.size, of: ({ size_bytes }) => formatBytes(size_bytes), number: true },
            { name: texts.status, of: ({ available }) => wordOf('visibility', available ? 'buyer_visible' : 'private') },
          ]}
        />
      </section>
    </>
  );
}

function Contents({ of: release }: { of: Release }) {
  const when = (at: string | undefined) => at && <When at={at} />;
  return (
    <section>
      <h2>{texts.contents}</h2>
      <Facts
        of={[
          [fields.channel, wordOf('channel', release.channel)],
          [fields.notes, release.notes !== '' && <SellerText text={release.notes} multiline />],
          [fields.critical, release.critical && '✓'],
          [fields.publish_on_approval, release.publish_on_approval && '✓'],
          [fields.rollout_percent, release.rollout_percent],
          [fields.requires_features, release.requires_features.length > 0 && <SellerText text={release.requires_features.join(', ')} />],
          [fields.covered_at, when(release.covered_at)],
          [texts.submitted, when(release.submitted_at)],
          [texts.published, when(release.published_at)],
          [texts.yanked, when(release.yanked_at)],
          [fields.reason, release.yank_reason && <SellerText text={release.yank_reason} />],
        ]}
      />
    </section>
  );
}
