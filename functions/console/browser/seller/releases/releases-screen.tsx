import { useEffect, useRef, useState } from 'preact/hooks';
import type { Release } from '../../../../../build/client.ts';
import { fault } from '../../../../../shared/faults/fault.ts';
import * as rules from '../../../../../shared/faults/rules.ts';
import { isStableVersion } from '../../../../../shared/releases/versions/version-form.ts';
import { useSend } from '../../api/sends.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { announceDone } from '../../components/live.tsx';
import { WordSelect } from '../../components/select.tsx';
import { When } from '../../components/when.tsx';
import { Choice } from '../../fields/choices.tsx';
import { TextArea, TextField } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { LoadedList } from '../../frame/loaded.tsx';
import { navigate, useParam } from '../../frame/location.ts';
import { states } from '../../words/states.ts';
import { wordOf } from '../../words/words.ts';
import { productPath } from '../products/product.ts';
import { ProductPart } from '../products/product-tabs.tsx';
import { fields, texts } from './release-texts.ts';
import { bodyOfRelease, valuesOfRelease } from './release-values.ts';
import { channelsOf, StateOf } from './release-words.tsx';
import { type ReleaseFilter, useReleases } from './use-release.ts';

/** The releases of a product, and the way to a new one. */
export function ReleasesScreen() {
  const productId = useParam('product_id');
  const [filter, setFilter] = useState<ReleaseFilter>({});
  const list = useReleases(productId, filter);
  const { status, channel } = filter;
  return (
    <ProductPart title={texts.releases}>
      {(body) => (
        <>
          <p>{texts.lead}</p>
          <div class="stack">
            <Filters of={filter} onChange={setFilter} />
            <LoadedList of={list} none={!list.more && <Empty text={status || channel ? texts.noneSuch : texts.none} />}>
              {(releases) => (
                <DataTable
                  label={texts.releases}
                  rows={releases}
                  columns={[
                    { name: fields.version, of: ({ version }) => <a href={releasePath(productId, version)}>{version}</a> },
                    { name: fields.channel, of: (release) => wordOf('channel', release.channel) },
                    { name: texts.status, of: (release) => <StateOf release={release} /> },
                    { name: texts.files, of: ({ artifacts }) => artifacts.length, number: true },
                    { name: texts.made, of: ({ created_at }) => <When at={created_at} /> },
                  ]}
                />
              )}
            </LoadedList>
          </div>
          {body.status === 'suspended' ? (
            <p class="notice warn">{texts.suspended}</p>
          ) : (
            <NewRelease productId={productId} known={list.body ?? []} />
          )}
        </>
      )}
    </ProductPart>
  );
}

const statuses = ['draft', 'pending_review', 'approved', 'published', 'yanked'] as const satisfies Release['status'][];
const channels = ['stable', 'rc', 'beta', 'alpha', 'dev'] as const satisfies Release['channel'][];

function Filters({ of: { status, channel }, onChange }: { of: ReleaseFilter; onChange: (filter: ReleaseFilter) => void }) {
  return (
    <div class="buttons">
      <WordSelect
        name="status"
        label={texts.status}
        of="release"
        words={statuses}
        value={status}
        onChange={(chosen) => onChange({ ...(channel && { channel }), ...(chosen && { status: chosen }) })}
      />
      <WordSelect
        name="in_channel"
        label={fields.channel}
        of="channel"
        words={channels}
        value={channel}
        onChange={(chosen) => onChange({ ...(status && { status }), ...(chosen && { channel: chosen }) })}
      />
    </div>
  );
}

export const releasePath = (productId: string, version: string): string =>
  `${productPath(productId)}/releases/${encodeURIComponent(version)}`;

const blank = valuesOfRelease();
const sentAtFirst = ['channel', 'notes'];

function NewRelease({ productId, known }: { productId: string; known: readonly Release[] }) {
  const edit = useEdit({ key: `release:${productId}`, base: blank });
  const { send, failure } = useSend('saveRelease');
  const { version, channel } = edit.values;
  const before = useRef(version);
  useEffect(() => {
    // As long as nobody chose another one, it goes with the version.
    const isOwn = channel === channelOf(before.current) || isStableVersion(version) !== (channel === 'stable');
    if (version !== before.current && isOwn) edit.set('channel', channelOf(version));
    before.current = version;
  }, [version]);
  return (
    <section>
      <h2>{texts.make}</h2>
      <Form
        operation="saveRelease"
        target="new"
        edit={edit}
        submit={texts.make}
        check={(values) => {
          // A draft of that version would be overwritten.
          const isDraft = known.some(({ version, status }) => version === values.version && status === 'draft');
          return isDraft
            ? [{ field: 'version', text: fault(rules.taken) }]
            : bodyFaults('saveRelease', bodyOfRelease(values, sentAtFirst), values);
        }}
        onSend={async (values) => {
          const release = await send({ path: { product_id: productId }, body: bodyOfRelease(values, sentAtFirst) });
          if (!release) return undefined;
          announceDone(texts.make);
          // Once the form has forgotten its draft.
          setTimeout(() => navigate(releasePath(productId, release.version)));
          return { values: blank };
        }}
        failure={failure}
        notDone={texts.notMade}
      >
        <TextField name="version" label={fields.version} hint={texts.versionHint} most={64} />
        <Choice name="channel" label={fields.channel} options={channelsOf(version)} />
        <TextArea name="notes" label={fields.notes} hint={texts.notesHint} most={20_000} optional />
      </Form>
    </section>
  );
}

/** The channel of a prerelease that is named after one; else the steadiest that it may be on. */
const channelOf = (version: string) =>
  isStableVersion(version) ? 'stable' : (Object.keys(states.channel).find((channel) => version.includes(`-${channel}`)) ?? 'rc');
