import { useState } from 'preact/hooks';
import { fault } from '../../../../../shared/faults/fault.ts';
import * as rules from '../../../../../shared/faults/rules.ts';
import { useList } from '../../api/reads.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { Check, Checks, Choice } from '../../fields/choices.tsx';
import { DateField, NumberField, TextArea } from '../../fields/fields.tsx';
import { bodyFaults } from '../../forms/body-faults.ts';
import { Form } from '../../forms/form.tsx';
import { type Edit, useEdit } from '../../forms/use-edit.ts';
import { differingFields } from '../../forms/values.ts';
import { texts as formsTexts } from '../../forms/words.ts';
import { Loaded } from '../../frame/loaded.tsx';
import { navigate } from '../../frame/location.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { faultWords } from '../../words/faults.ts';
import { productPath } from '../products/product.ts';
import { AddArtifact, Artifacts } from './artifacts.tsx';
import { type MissingField, missingFieldsIn, missingFieldsOf } from './missing-fields.ts';
import { isBeingChecked } from './release-files.ts';
import { fields, texts } from './release-texts.ts';
import { bodyOfRelease, type ReleaseValues, valuesOfRelease } from './release-values.ts';
import { channelsOf } from './release-words.tsx';
import { pathOf, TransitionButton } from './transitions.tsx';
import { UploadedFiles } from './uploaded-files.tsx';
import { type ReleaseProps, useDraftUpdate } from './use-release.ts';

/** A draft: what it is, its files, and the way to its review. */
export function DraftScreen(props: ReleaseProps) {
  const { release, product } = props;
  const files = useList(
    'listProductFiles',
    { path: { product_id: release.product_id }, query: { limit: 100 } },
    { every: (read) => (read.some((file) => isBeingChecked(file, Date.now())) ? 4_000 : false) },
  );
  const edit = useEdit({ key: `release:${release.id}`, base: valuesOfRelease(release), revision: release.revision });
  const [unsaved, setUnsaved] = useState<Readonly<Record<string, boolean>>>({});
  if (product?.status === 'suspended') return <p class="notice warn">{texts.suspended}</p>;
  return (
    <>
      {release.rejection_reason !== undefined && (
        <div class="notice bad">
          <p>{texts.rejected}</p>
          <SellerText text={release.rejection_reason} multiline />
        </div>
      )}
      <section>
        <h2>{texts.contents}</h2>
        <Contents {...props} edit={edit} />
      </section>
      <Artifacts {...props} onUnsaved={(name, is) => setUnsaved((before) => ({ ...before, [name]: is }))} />
      <Loaded of={files}>
        {(read) => (
          <>
            <UploadedFiles {...props} files={files} />
            <AddArtifact {...props} files={read} />
            <HandIn {...props} lacks={missingFieldsOf(release, read)} isUnsaved={edit.isChanged || Object.values(unsaved).includes(true)} />
          </>
        )}
      </Loaded>
    </>
  );
}

/** The form of what a draft is. */
function Contents({ edit, ...props }: ReleaseProps & { edit: Edit<ReleaseValues> }) {
  const { release, product } = props;
  const { change, failure } = useDraftUpdate(props);
  const bodyOf = (values: ReleaseValues) => bodyOfRelease(values, differingFields(values, edit.latest().base, edit.alike));
  return (
    <Form
      operation="saveRelease"
      target={release.id}
      edit={edit}
      check={(values) =>
        values.covered_at === '' && release.covered_at !== undefined
          ? [{ field: 'covered_at', text: fault(rules.missing) }]
          : bodyFaults('saveRelease', bodyOf(values), values)
      }
      onSend={async (values) => {
        const saved = await change(() => bodyOf(values));
        return saved && { values: valuesOfRelease(saved), revision: saved.revision };
      }}
      failure={failure}
    >
      <Choice name="channel" label={fields.channel} options={channelsOf(release.version)} />
      <TextArea name="notes" label={fields.notes} hint={texts.notesHint} most={20_000} rows={10} optional />
      {product?.features && (
        <Checks
          name="requires_features"
          label={fields.requires_features}
          options={product.features.map((feature) => [feature, feature])}
          optional
        />
      )}
      <DateField name="covered_at" label={fields.covered_at} hint={texts.coveredHint} optional />
      <Check name="critical" label={fields.critical} />
      <Check name="publish_on_approval" label={fields.publish_on_approval} />
      <NumberField name="rollout_percent" label={fields.rollout_percent} hint={texts.shareLater} optional />
    </Form>
  );
}

/** The way to the review, with what is still missing; and the way to have no draft. */
function HandIn({ release, keep, lacks, isUnsaved }: ReleaseProps & { lacks: readonly MissingField[]; isUnsaved: boolean }) {
  const [refused, setRefused] = useState<readonly MissingField[]>([]);
  return (
    <section class="card">
      <h2>{texts.submit}</h2>
      <Lacks lacks={lacks.length > 0 ? lacks : refused} release={release} />
      <p>{isUnsaved ? texts.unsaved : texts.submitText}</p>
      <TransitionButton
        operation="submitRelease"
        release={release}
        keep={keep}
        disabled={isUnsaved}
        onFailure={(why) => setRefused(why?.code === 'release_incomplete' ? missingFieldsIn(why.message) : [])}
      >
        <AskFirst
          operation="deleteRelease"
          args={() => ({ path: pathOf(release) })}
          ask={texts.delete}
          title={`${texts.delete}: ${release.version}`}
          notDone={texts.notDeleted}
          done={() => navigate(`${productPath(release.product_id)}/releases`, true)}
        >
          <p>{texts.deleteText}</p>
        </AskFirst>
      </TransitionButton>
    </section>
  );
}

const names: Readonly<Record<string, string>> = fields;

function Lacks({ lacks, release: { artifacts } }: { lacks: readonly MissingField[] } & Pick<ReleaseProps, 'release'>) {
  if (lacks.length === 0) return <p>{texts.lacksNone}</p>;
  return (
    <div class="notice warn">
      <p>{texts.lacks}</p>
      <ul>
        {lacks.map(({ at, field, text }) => (
          <li key={`${at} ${field}`}>
            {field === 'artifacts' && texts.noFull}
            {field !== 'artifacts' && at !== undefined && `${artifacts[at]?.file_name}: `}
            {field !== 'artifacts' && formsTexts.fault(names[field] ?? field, faultWords(text))}
          </li>
        ))}
      </ul>
    </div>
  );
}
