import { useEffect } from 'preact/hooks';
import type { Artifact, ProductFile } from '../../../../../build/client.ts';
import { bodyFaults } from '../../api/body-faults.ts';
import { Checks, Choice } from '../../forms/choices.tsx';
import { TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { wordsOf } from '../../words/words.ts';
import { type ArtifactValues, artifactsWith, bodyOfArtifact, fieldsOf, keysOf, valuesOfArtifact } from './artifact-values.ts';
import { targetOf } from './file-target.ts';
import { goOn } from './moves.tsx';
import { usableFiles, versionsByFile } from './release-files.ts';
import { say } from './release-texts.ts';
import { artifactWords } from './release-words.tsx';
import { type ReleaseProps, useDraftSend } from './use-release.ts';

const { fields } = say;

/** The files of a draft, each to be edited or taken out. */
export function Artifacts(props: ReleaseProps) {
  const { artifacts } = props.release;
  const keys = keysOf(artifacts);
  return (
    <section class="stack">
      <h2>{say.files}</h2>
      {artifacts.length === 0 && <p>{say.nothing}</p>}
      <ul class="plain stack">
        {artifacts.map((artifact, at) => {
          const key = keys[at] ?? '';
          return <OneArtifact key={key} name={key} artifact={artifact} {...props} />;
        })}
      </ul>
    </section>
  );
}

function OneArtifact({ name, artifact, ...props }: ReleaseProps & { name: string; artifact: Artifact }) {
  const { id, revision } = props.release;
  const removal = useDraftSend(props);
  const { change, failure } = useDraftSend(props);
  const edit = useEdit({ key: `release:${id}:${name}`, base: valuesOfArtifact(artifact), revision });
  const { file_name } = artifact;
  const takeOut = async () => {
    if (await removal.change((now) => ({ artifacts: artifactsWith(now, name) }))) goOn(say.take);
  };
  return (
    <li class="card" data-id={name}>
      <h3>{file_name}</h3>
      <p>{artifactWords(artifact)}</p>
      <details open={edit.isChanged}>
        <summary>{say.edit}</summary>
        <Form
          operation="saveRelease"
          target={name}
          label={file_name}
          edit={edit}
          submit={say.save}
          check={faultsOf}
          onSend={async (values) => {
            const saved = await change((now) => ({ artifacts: artifactsWith(now, name, bodyOfArtifact(values)) }));
            return saved && { values, revision: saved.revision };
          }}
          failure={failure}
          what={say.save}
        >
          <ArtifactFields values={edit.values} />
        </Form>
      </details>
      {removal.failure && <FailureNotice failure={removal.failure} what={say.take} onRetry={() => void takeOut()} />}
      <SendButton
        operation="saveRelease"
        target={name}
        sending={removal.sending}
        kind="quiet"
        label={`${say.take}: ${file_name}`}
        onPress={() => void takeOut()}
      >
        {say.take}
      </SendButton>
    </li>
  );
}

/** As one of the artifacts that are sent with the release; what is wrong is told of its own fields. */
const faultsOf = (values: ArtifactValues) =>
  bodyFaults('saveRelease', bodyOfArtifact(values), values, ({ properties }) => properties?.['artifacts']?.items);

const startOf = (file: ProductFile | undefined): ArtifactValues =>
  valuesOfArtifact({ file_id: file?.id ?? '', ...targetOf(file?.file_name ?? '') });

/** Adds an uploaded file to a draft: to begin with the newest that is in no release. */
export function AddArtifact({ files, ...props }: ReleaseProps & { files: readonly ProductFile[] }) {
  const { release, releases } = props;
  const versions = versionsByFile(releases);
  const offered = usableFiles(files).filter(({ id }) => (versions.get(id) ?? release.version) === release.version);
  const nextOf = ({ artifacts }: typeof release) => offered.find(({ id }) => !artifacts.some(({ file_id }) => file_id === id));
  const { change, failure } = useDraftSend(props);
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
      <h2>{say.add}</h2>
      {offered.length === 0 ? (
        <p>{say.addNone}</p>
      ) : (
        <Form
          operation="saveRelease"
          target="new"
          edit={edit}
          submit={say.add}
          check={faultsOf}
          onSend={async (values) => {
            const saved = await change((now) => ({ artifacts: artifactsWith(now, '', bodyOfArtifact(values)) }));
            return saved && { values: startOf(nextOf(saved)) };
          }}
          failure={failure}
          what={say.add}
        >
          <Choice
            name="file_id"
            label={fields.file_id}
            options={[
              ...(file_id === '' ? [['', say.nothing] as const] : []),
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
        <Choice name="platform" label={fields.platform} options={wordsOf('platform')} />
        <Choice name="arch" label={fields.arch} options={wordsOf('arch')} />
        <Choice name="kind" label={fields.kind} options={wordsOf('artifact')} />
      </div>
      <Checks name="feeds" label={fields.feeds} hint={say.feedsHint} options={wordsOf('feed')} optional />
      {fieldsOf(values).map((name) =>
        name === 'bundle' ? (
          <Choice key={name} name={name} label={fields[name]} options={[['', say.nothing], ...wordsOf(name)]} optional />
        ) : (
          <TextField key={name} name={name} label={fields[name]} optional />
        ),
      )}
    </>
  );
}
