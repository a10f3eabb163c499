import type { Artifact, Release } from '../../../../../build/client.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Facts } from '../../parts/facts.tsx';
import { State } from '../../parts/state.tsx';
import { When } from '../../parts/when.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { formatBytes } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { keysOf } from './artifact-list.ts';
import { say } from './release-texts.ts';

const { fields } = say;

/** A release that nobody can edit any more. */
export function ReleaseFacts({ release }: { release: Release }) {
  const { channel, notes, critical, publish_on_approval, requires_features, covered_at, submitted_at, published_at, yanked_at } = release;
  return (
    <>
      <section>
        <h2>{say.draft}</h2>
        <Facts
          of={[
            [fields.channel, wordOf('channel', channel)],
            [fields.notes, notes !== '' && <SellerText text={notes} multiline />],
            [fields.critical, critical && say.yes],
            [fields.publish_on_approval, publish_on_approval && say.yes],
            [fields.requires_features, requires_features.length > 0 && <SellerText text={requires_features.join(', ')} />],
            [fields.covered_at, covered_at && <When at={covered_at} />],
            [say.at.submitted, submitted_at && <When at={submitted_at} />],
            [say.at.published, published_at && <When at={published_at} />],
            [say.at.yanked, yanked_at && <When at={yanked_at} />],
          ]}
        />
      </section>
      <section>
        <h2>{say.files}</h2>
        <Artifacts artifacts={release.artifacts} />
      </section>
    </>
  );
}

function Artifacts({ artifacts }: { artifacts: readonly Artifact[] }) {
  const keys = new Map(keysOf(artifacts).map((key, at) => [artifacts[at], key]));
  return (
    <DataTable
      label={say.files}
      rows={artifacts}
      idOf={(artifact) => keys.get(artifact) ?? artifact.file_id}
      columns={[
        { name: fields.file_id, of: ({ file_name }) => <SellerText text={file_name} /> },
        { name: fields.platform, of: targetWords },
        { name: fields.feeds, of: feedWords },
        { name: say.size, of: ({ size_bytes }) => formatBytes(size_bytes), number: true },
        { name: fields.status, of: ({ available }) => <Available is={available} /> },
      ]}
    />
  );
}

const Available = ({ is }: { is: boolean }) => <span class={is ? 'state good' : 'state'}>{is ? say.available : say.unavailable}</span>;

/** The state, and of a published release to how many it is offered where that is not all. */
export function StateOf({ release: { status, rollout_percent: percent, rejection_reason } }: { release: Release }) {
  return (
    <>
      <State of="release" value={status} />
      {status === 'published' && percent !== undefined && percent < 100 && ` ${percent} %`}
      {status === 'draft' && rejection_reason !== undefined && <span class="small"> {say.rejected}</span>}
    </>
  );
}

/** For what an artifact is: `macOS ARM64, full`. */
export const targetWords = ({ platform, arch, kind }: Pick<Artifact, 'platform' | 'arch' | 'kind'>): string =>
  [wordOf('platform', platform), arch !== 'any' && wordOf('arch', arch), kind !== 'full' && wordOf('artifact', kind)]
    .filter(Boolean)
    .join(' · ');

/** The updaters that are told of an artifact. */
export const feedWords = ({ feeds = [] }: Pick<Artifact, 'feeds'>): string =>
  feeds.length === 0 ? say.nothing : feeds.map((feed) => wordOf('feed', feed)).join(', ');
