import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import type { Release } from '../../../../../build/client.ts';
import { ReleaseRequest } from '../../../../../shared/releases/release-request.ts';
import { channels, isStable } from '../../../../../shared/releases/version.ts';
import { useRead } from '../../api/reads.ts';
import { useSend } from '../../api/sends.ts';
import { Choice } from '../../forms/choices.tsx';
import { faultsIn } from '../../forms/faults.ts';
import { TextArea, TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { announce } from '../../frame/live.tsx';
import { Loaded } from '../../frame/loaded.tsx';
import { Screen } from '../../frame/screen.tsx';
import { DataTable, More } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { When } from '../../parts/when.tsx';
import { wordOf } from '../../words/words.ts';
import { StateOf } from './release-facts.tsx';
import { productHref, releaseHref } from './release-links.ts';
import { say } from './release-texts.ts';
import { bodyOfRelease, valuesOfRelease } from './release-values.ts';
import { type ReleaseFilter, useReleases } from './use-release.ts';

/** The releases of a product, and the way to a new one. */
export function ReleasesScreen() {
  const { product_id: productId = '' } = useRoute().params;
  const product = useRead('getProduct', { path: { product_id: productId } });
  const [filter, setFilter] = useState<ReleaseFilter>({});
  const list = useReleases(productId, filter);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Screen title={say.releases} lead={say.lead} back={{ href: productHref(productId), text: product.body?.name ?? say.product }}>
      <Filters filter={filter} onChange={setFilter} />
      <Loaded of={list}>
        {(releases) =>
          releases.length === 0 && !list.more ? (
            <Empty text={isFiltered ? say.noneSuch : say.none} />
          ) : (
            <>
              <DataTable
                label={say.releases}
                rows={releases}
                idOf={({ id }) => id}
                columns={[
                  { name: say.fields.version, of: ({ version }) => <a href={releaseHref(productId, version)}>{version}</a> },
                  { name: say.fields.channel, of: ({ channel }) => wordOf('channel', channel) },
                  { name: say.fields.status, of: (release) => <StateOf release={release} /> },
                  { name: say.fields.artifacts, of: ({ artifacts }) => artifacts.length, number: true },
                  { name: say.created, of: ({ created_at }) => <When at={created_at} /> },
                ]}
              />
              <More of={list} />
            </>
          )
        }
      </Loaded>
      {product.body?.status === 'suspended' ? (
        <p class="notice warn">{say.suspended}</p>
      ) : (
        <NewRelease productId={productId} known={list.body ?? []} />
      )}
    </Screen>
  );
}

const states = ['draft', 'pending_review', 'approved', 'published', 'yanked'] as const;

function Filters({ filter, onChange }: { filter: ReleaseFilter; onChange: (filter: ReleaseFilter) => void }) {
  const { status: _, ...unstated } = filter;
  const { channel: __, ...unchanneled } = filter;
  return (
    <search class="grid stack">
      <Filter
        label={say.fields.status}
        word="release"
        options={states}
        onChoose={(status) => onChange({ ...unstated, ...(status && { status }) })}
      />
      <Filter
        label={say.fields.channel}
        word="channel"
        options={channels}
        onChoose={(channel) => onChange({ ...unchanneled, ...(channel && { channel }) })}
      />
    </search>
  );
}

function Filter<Option extends string>(props: {
  label: string;
  word: 'release' | 'channel';
  options: readonly Option[];
  onChoose: (option: Option | undefined) => void;
}) {
  const { label, word, options, onChoose } = props;
  return (
    <label>
      {label}
      <select autocomplete="off" onChange={({ currentTarget }) => onChoose(options.find((option) => option === currentTarget.value))}>
        <option value="">{say.all}</option>
        {options.map((option) => (
          <option key={option} value={option}>
            {wordOf(word, option)}
          </option>
        ))}
      </select>
    </label>
  );
}

function NewRelease({ productId, known }: { productId: string; known: readonly Release[] }) {
  const { route } = useLocation();
  const edit = useEdit({ key: `release:${productId}`, base: blank });
  const { send, failure } = useSend('saveRelease');
  const { version, channel } = edit.values;
  const before = useRef(version);
  useEffect(() => {
    // As long as nobody chose another one, it goes with the version.
    const isOwn = channel === channelOf(before.current) || isStable(version) !== (channel === 'stable');
    if (version !== before.current && isOwn) edit.set('channel', channelOf(version));
    before.current = version;
  }, [version]);
  return (
    <section>
      <h2>{say.newDraft}</h2>
      <Form
        operation="saveRelease"
        target="new"
        edit={edit}
        submit={say.makeDraft}
        check={(values) => {
          const faults = faultsIn(ReleaseRequest, bodyOfRelease(values, sentAtFirst), values);
          // A draft of that version would be overwritten.
          const isThere = known.some((release) => release.version === values.version.trim());
          return isThere ? [{ field: 'version', text: 'is in the list already' }, ...faults] : faults;
        }}
        onSend={async (values) => {
          const release = await send({ path: { product_id: productId }, body: bodyOfRelease(values, sentAtFirst) });
          if (!release) return undefined;
          announce(say.made(release.version));
          // Once the form has forgotten its draft.
          setTimeout(() => route(releaseHref(productId, release.version)));
          return { values: blank };
        }}
        failure={failure}
        what={say.not.made}
      >
        <TextField name="version" label={say.fields.version} hint={say.hints.version} most={64} />
        <Choice
          name="channel"
          label={say.fields.channel}
          options={channels
            .filter((option) => version === '' || isStable(version) === (option === 'stable'))
            .map((option) => [option, wordOf('channel', option)])}
        />
        <TextArea name="notes" label={say.fields.notes} hint={say.hints.notes} most={20_000} optional />
      </Form>
    </section>
  );
}

const blank = valuesOfRelease();
const sentAtFirst = ['channel', 'notes'];

/** The channel of a prerelease that is named after one; else the steadiest that it may be on. */
const channelOf = (version: string) =>
  isStable(version) ? 'stable' : (channels.find((channel) => version.includes(`-${channel}`)) ?? 'rc');
