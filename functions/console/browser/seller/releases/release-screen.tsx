import { useRoute } from 'preact-iso';
import type { Release } from '../../../../../build/client.ts';
import { useRead } from '../../api/reads.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { DraftScreen } from './draft.tsx';
import { Lifecycle } from './lifecycle.tsx';
import { ReleaseFacts, StateOf } from './release-facts.tsx';
import { releasesHref } from './release-links.ts';
import { say } from './release-texts.ts';
import { type ReleaseProps, useRelease } from './use-release.ts';

/** One release of a product: to be made as long as it is a draft, then to be followed and brought out. */
export function ReleaseScreen() {
  const { product_id = '', version = '' } = useRoute().params;
  // Another address is another screen.
  return <OneRelease key={`${product_id}/${version}`} productId={product_id} version={version} />;
}

function OneRelease({ productId, version }: { productId: string; version: string }) {
  const product = useRead('getProduct', { path: { product_id: productId } });
  const { read, isMissing, releases, keep } = useRelease(productId, version);
  const back = { href: releasesHref(productId), text: say.releases };
  if (isMissing) {
    return (
      <Screen title={say.unknown(version)} back={back}>
        <p>{say.unknownText}</p>
      </Screen>
    );
  }
  return (
    <Screen title={version} back={back} lead={read.body && <StateOf release={read.body} />}>
      <Loaded of={read}>{(release) => <Shown release={release} product={product.body} releases={releases} keep={keep} />}</Loaded>
    </Screen>
  );
}

function Shown(props: ReleaseProps & { releases: readonly Release[] }) {
  if (props.release.status === 'draft') return <DraftScreen {...props} />;
  return (
    <>
      <Lifecycle {...props} />
      <ReleaseFacts release={props.release} />
    </>
  );
}
