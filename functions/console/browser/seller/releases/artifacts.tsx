import { operations } from 'console:operations';
import { useEffect, useMemo } from 'preact/hooks';
import type { Artifact, ProductFile } from '../../../../../build/client.ts';
import { ApiFailure } from '../../api/failure.ts';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { SendButton } from '../../components/send-button.tsx';
import { Checks, Choice } from '../../fields/choices.tsx';
import { TextField } from '../../fields/fields.tsx';
import { faultsIn } from '../../forms/faults.ts';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { type ArtifactValues, artifactsWith, bodyOfArtifact, fieldsOf, keysOf, valuesOfArtifact } from './artifact-values.ts';
import { targetOf } from './file-target.ts';
import { usableFiles, versionsByFile } from './release-files.ts';
import { fields, texts } from './release-texts.ts';
import { artifactWords, optionsOf } from './release-words.tsx';
import { announceAndFocusHeading } from './transitions.tsx';
import { type ReleaseProps, useDraftUpdate } from './use-release.ts';

interface ArtifactsProps extends ReleaseProps {
  /** Told of each whether something was typed that is not saved. */
  onUnsaved: (name: string, isUnsaved: boolean) => void;
}

/** The files of a draft, each to be edited or taken out. */
export function Artifacts(props: ArtifactsProps) {
  const { artifacts } = props.release;
  const keys = keysOf(artifacts);
  return (
    <section class="stack">
      <h2>{texts.files}</h2>
      {artifacts.length === 0 && <p>{texts.nothing}</p>}
      <ul class="plain stack">
        {artifacts.map((artifact, at) => {
          const key = keys[at] ?? '';
          return <OneArtifact key={key} name={key} artifact={artifact} {...props} />;
        })}
      </ul>
    </section>
  );
}

function OneArtifact({ name, artifact, onUnsaved, ...props }: ArtifactsProps & { name: string; artifact: Artifact }) {
  const { id, revision } = props.release;
  const removal = useDraftUpdate(props);
  const { change, failure } = useDraftUpdate(props);
  const own = useOwn(failure);
  const edit = useEdit({ key: `release:${id}:${name}`, base: valuesOfArtifact(artifact), revision });
  const { file_name } = artifact;
  useEffect(() => {
    onUnsaved(name, edit.isChanged);
    return () => onUnsaved(name, false);
  }, [edit.isChanged]);
  const takeOut = async () => {
    if (await removal.change((now) => ({ artifacts: artifactsWith(now, name) }))) announceAndFocusHeading(texts.take);
  };
  return (
    <li class="card" data-id={name}>
      <h3>{file_name}</h3>
      <p>{artifactWords(artifact)}</p>
      <details open={edit.isChanged}>
        <summary>{texts.edit}</summary>
        <Form
          operation="saveRelease"
          target={name}
          label={file_name}
          edit={edit}
          check={faultsOf}
          onSend={async (values) => {
            const saved = await change((now) => ({ artifacts: artifactsWith(now, name, bodyOfArtifact(values)) }));
            return saved && { values, revision: saved.revision };
          }}
          failure={own}
        >
          <ArtifactFields values={edit.values} />
        </Form>
      </details>
      {removal.failure && <FailureNotice failure={removal.failure} notDone={texts.notTakenOut} onRetry={() => void takeOut()} />}
      <SendButton
        operation="saveRelease"
        target={name}
        sending={removal.sending}
        kind="quiet"
        label={`${texts.take}: ${file_name}`}
        onPress={() => void takeOut()}
      >
        {texts.take}
      </SendButton>
    </li>
  );
}

const faultsOf = (values: ArtifactValues) =>
  faultsIn(operations['saveRelease']?.[2]?.properties?.['artifacts']?.items ?? {}, bodyOfArtifact(values), values);

/** What the service says of the one artifact is about the fields of its form. */
function useOwn(failure: ApiFailure | undefined): ApiFailure | undefined {
  return useMemo(() => failure && new ApiFailure({ ...failure, message: failure.message.replaceAll(/artifacts\.\d+\./g, '') }), [failure]);
}

const startOf = (file: ProductFile | undefined): ArtifactValues =>
  valuesOfArtifact({ file_id: file?.id ?? '', ...targetOf(file?.file_name ?? '') });

/** Adds an uploaded file to a draft: to begin with the oldest that is in no release, which no later upload changes. */
export function AddArtifact({ files, ...props }: ReleaseProps & { files: readonly ProductFile[] }) {
  const { release, releases } = props;
  const versions = versionsByFile(releases);
  const offered = usableFiles(files).filter(({ id }) => (versions.get(id) ?? release.version) === release.version);
  const nextOf = ({ artifacts }: typeof release) => offered.findLast(({ id }) => !artifacts.some(({ file_id }) => file_id === id));
  const { change, failure } = useDraftUpdate(props);
  const own = useOwn(failure);
  const edit = useEdit({ key: `release:${release.id}:new`, base: startOf(nextOf(release)) });
  const { file_id } = edit.values;
  useEffect(() => {
    const file = offered.find(({ id }) => id === file_id);
    if (file && edit.changed.includes('file_id')) {
      for (const [field, value] of Object.entries(targetOf(file.file_name))) edit.set(field, value);
    }
  }, [file_id]);
  return (
    <section>
      <h2>{texts.add}</h2>
      {offered.length === 0 ? (
        <p>{texts.addNone}</p>
      ) : (
        <Form
          operation="saveRelease"
          target="new"
          edit={edit}
          submit={texts.add}
          check={faultsOf}
          onSend={async (values) => {
            const saved = await change((now) => ({ artifacts: artifactsWith(now, '', bodyOfArtifact(values)) }));
            return saved && { values: startOf(nextOf(saved)) };
          }}
          failure={own}
          notDone={texts.notAdded}
        >
          <Choice
            name="file_id"
            label={fields.file_id}
            options={[
              ...(file_id === '' ? [['', texts.nothing] as const] : []),
              ...offered.map(({ id, file_name }) => [id, file_name] as const),
            ]}
          />
          <ArtifactFields values={edit.values} />
        </Form>
      )}
    </section>
  );
}

/** What an artifact is for; what only some updaters want is asked for where it goes to them. */
function ArtifactFields({ values }: { values: ArtifactValues }) {
  return (
    <>
      <div class="grid">
        <Choice name="platform" label={fields.platform} options={optionsOf('platform')} />
        <Choice name="arch" label={fields.arch} options={optionsOf('arch')} />
        <Choice name="kind" label={fields.kind} options={optionsOf('artifact')} />
      </div>
      <Checks name="feeds" label={fields.feeds} hint={texts.feedsHint} options={optionsOf('feed')} optional />
      {fieldsOf(values).map((name) =>
        name === 'bundle' ? (
          <Choice key={name} name={name} label={fields[name]} options={[['', texts.nothing], ...optionsOf(name)]} optional />
        ) : (
          <TextField key={name} name={name} label={fields[name]} optional />
        ),
      )}
    </>
  );
}
