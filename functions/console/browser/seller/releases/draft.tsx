import type { Release } from '../../../../../build/client.ts';
import { ReleaseRequest } from '../../../../../shared/releases/release-request.ts';
import { channels, isStable } from '../../../../../shared/releases/version.ts';
import { useList } from '../../api/reads.ts';
import { Check, Checks, Choice } from '../../forms/choices.tsx';
import { faultsIn } from '../../forms/faults.ts';
import { DateField, NumberField, TextArea } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { type Edit, useEdit } from '../../forms/use-edit.ts';
import { differing } from '../../forms/values.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { wordOf } from '../../words/words.ts';
import { AddArtifact, Artifacts } from './artifacts.tsx';
import { HandIn } from './hand-in.tsx';
import { isBeingChecked } from './release-files.ts';
import { say } from './release-texts.ts';
import { bodyOfRelease, type ReleaseValues, valuesOfRelease } from './release-values.ts';
import { UploadedFiles } from './uploaded-files.tsx';
import { type ReleaseProps, useDraftSend } from './use-release.ts';

const pollMs = 4_000;

/** A draft: what it is, its files, and the way to its review. */
export function DraftScreen({ release, product, releases, keep }: ReleaseProps & { releases: readonly Release[] }) {
  const files = useList(
    'listProductFiles',
    { path: { product_id: release.product_id }, query: { limit: 100 } },
    { every: (read) => (read.some((file) => isBeingChecked(file, Date.now())) ? pollMs : false) },
  );
  const edit = useEdit({ key: `release:${release.id}`, base: valuesOfRelease(release), revision: release.revision });
  if (product?.status === 'suspended') return <p class="notice warn">{say.suspended}</p>;
  const part = { release, keep, releases };
  return (
    <>
      {release.rejection_reason !== undefined && (
        <div class="notice bad">
          <p>{say.rejectedText}</p>
          <SellerText text={release.rejection_reason} multiline />
        </div>
      )}
      <section>
        <h2>{say.draft}</h2>
        <DraftForm release={release} edit={edit} features={product?.features ?? []} keep={keep} />
      </section>
      <section class="stack">
        <h2>{say.files}</h2>
        <Artifacts {...part} />
      </section>
      <Loaded of={files}>
        {(read) => (
          <>
            <UploadedFiles {...part} files={files} />
            <AddArtifact {...part} files={read} />
            <HandIn release={release} keep={keep} files={read} isUnsaved={edit.isChanged} />
          </>
        )}
      </Loaded>
    </>
  );
}

interface DraftFormProps {
  release: Release;
  edit: Edit<ReleaseValues>;
  features: readonly string[];
  keep: (release: Release) => void;
}

function DraftForm({ release, edit, features, keep }: DraftFormProps) {
  const { change, failure } = useDraftSend(release, keep);
  const bodyOf = (values: ReleaseValues) => bodyOfRelease(values, differing(values, edit.latest().base, edit.alike));
  const { version } = release;
  return (
    <Form
      operation="saveRelease"
      target={release.id}
      edit={edit}
      submit={say.save}
      check={(values) => {
        const isEmptied = values.covered_at === '' && release.covered_at !== undefined;
        return isEmptied ? [{ field: 'covered_at', text: 'is missing' }] : faultsIn(ReleaseRequest, bodyOf(values), values);
      }}
      onSend={async (values) => {
        const saved = await change(() => bodyOf(values));
        return saved && { values: valuesOfRelease(saved), revision: saved.revision };
      }}
      failure={failure}
      what={say.not.saved}
    >
      <Choice
        name="channel"
        label={say.fields.channel}
        options={channels
          .filter((channel) => isStable(version) === (channel === 'stable'))
          .map((channel) => [channel, wordOf('channel', channel)])}
      />
      <TextArea name="notes" label={say.fields.notes} hint={say.hints.notes} most={20_000} rows={10} optional />
      {features.length > 0 && (
        <Checks
          name="requires_features"
          label={say.fields.requires_features}
          options={features.map((feature) => [feature, feature])}
          optional
        />
      )}
      <DateField name="covered_at" label={say.fields.covered_at} hint={say.hints.covered} optional />
      <Check name="critical" label={say.fields.critical} />
      <Check name="publish_on_approval" label={say.fields.publish_on_approval} />
      <NumberField name="rollout_percent" label={say.fields.rollout_percent} hint={say.hints.rolloutDraft} optional />
    </Form>
  );
}
