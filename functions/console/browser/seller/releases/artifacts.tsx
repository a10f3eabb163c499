import { useEffect } from 'preact/hooks';
import type { Artifact, ProductFile, Release } from '../../../../../build/client.ts';
import { Arch, ArtifactKind, Bundle, Feed, Platform } from '../../../../../shared/releases/artifact.ts';
import { ArtifactRequest } from '../../../../../shared/releases/release-request.ts';
import { Checks, Choice, type Option } from '../../forms/choices.tsx';
import { faultsIn } from '../../forms/faults.ts';
import { TextField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { useEdit } from '../../forms/use-edit.ts';
import { announce } from '../../frame/live.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { SendButton } from '../../parts/send-button.tsx';
import { formatBytes } from '../../words/formats.ts';
import { type WordKind, wordOf } from '../../words/words.ts';
import { keysOf, withArtifact, withoutArtifact } from './artifact-list.ts';
import { targetOf } from './file-target.ts';
import { goOn } from './moves.tsx';
import { feedWords, targetWords } from './release-facts.tsx';
import { usableFiles, versionsByFile } from './release-files.ts';
import { say } from './release-texts.ts';
import { type ArtifactValues, bodyOfArtifact, fieldsOf, valuesOfArtifact } from './release-values.ts';
import { useDraftSend } from './use-release.ts';

const { fields, hints } = say;

interface PartProps {
  release: Release;
  keep: (release: Release) => void;
}

/** The files of a draft, each to be edited or taken out. */
export function Artifacts({ release, keep }: PartProps) {
  const keys = keysOf(release.artifacts);
  if (keys.length === 0) return <Empty text={say.filesNone} />;
  return (
    <ul class="plain stack">
      {release.artifacts.map((artifact, at) => {
        const key = keys[at] ?? artifact.file_id;
        return <OneArtifact key={key} name={key} artifact={artifact} release={release} keep={keep} />;
      })}
    </ul>
  );
}

function OneArtifact({ name, artifact, release, keep }: PartProps & { name: string; artifact: Artifact }) {
  const removal = useDraftSend(release, keep);
  const { change, failure } = useDraftSend(release, keep);
  const edit = useEdit({
    key: `release:${release.id}:${name}`,
    base: valuesOfArtifact(artifact),
    revision: release.revision,
  });
  const { file_name } = artifact;
  return (
    <li class="card" data-id={name}>
      <h3>{file_name}</h3>
      <p>
        {targetWords(artifact)} · {feedWords(artifact)} · {formatBytes(artifact.size_bytes)}
      </p>
      <details open={edit.isChanged}>
        <summary>{say.edit}</summary>
        <Form
          operation="saveRelease"
          target={name}
          label={file_name}
          edit={edit}
          submit={say.save}
          check={faultsOfArtifact}
          onSend={async (values) => {
            const saved = await change((now) => ({ version: now.version, artifacts: withArtifact(now, name, bodyOfArtifact(values)) }));
            return saved && { values, revision: saved.revision };
          }}
          failure={failure}
          what={say.not.saved}
        >
          <ArtifactFields values={edit.values} />
        </Form>
      </details>
      {removal.failure && <FailureNotice failure={removal.failure} what={say.not.removed} />}
      <SendButton
        operation="saveRelease"
        target={name}
        sending={removal.sending}
        kind="quiet"
        label={`${say.remove}: ${file_name}`}
        onPress={async () => {
          if (await removal.change((now) => ({ version: now.version, artifacts: withoutArtifact(now, name) }))) {
            goOn(say.removed(file_name));
          }
        }}
      >
        {say.remove}
      </SendButton>
    </li>
  );
}

const faultsOfArtifact = (values: ArtifactValues) => faultsIn(ArtifactRequest, bodyOfArtifact(values), values);

/** Adds an uploaded file to a draft: to begin with the newest that is in no release. */
export function AddArtifact({
  release,
  releases,
  files,
  keep,
}: PartProps & { releases: readonly Release[]; files: readonly ProductFile[] }) {
  const versions = versionsByFile(releases);
  const offered = usableFiles(files).filter(({ id }) => (versions.get(id) ?? release.version) === release.version);
  const next = offered.find(({ id }) => !release.artifacts.some(({ file_id }) => file_id === id));
  const { change, failure } = useDraftSend(release, keep);
  const edit = useEdit({ key: `release:${release.id}:new`, base: startOf(next) });
  const chosen = edit.values.file_id;
  useEffect(() => {
    const file = offered.find(({ id }) => id === chosen);
    if (!file || file.id === next?.id) return;
    for (const [field, value] of Object.entries(targetOf(file.file_name))) edit.set(field, value);
  }, [chosen]);
  return (
    <section>
      <h2>{say.add}</h2>
      {offered.length === 0 ? (
        <Empty text={say.addNone} />
      ) : (
        <Form
          operation="saveRelease"
          target="new"
          edit={edit}
          submit={say.addIt}
          check={faultsOfArtifact}
          onSend={async (values) => {
            const saved = await change((now) => ({
              version: now.version,
              artifacts: withArtifact(now, undefined, bodyOfArtifact(values)),
            }));
            if (!saved) return undefined;
            announce(say.added(offered.find(({ id }) => id === values.file_id)?.file_name ?? ''));
            return { values: startOf(offered.find(({ id }) => !saved.artifacts.some(({ file_id }) => file_id === id))) };
          }}
          failure={failure}
          what={say.not.added}
        >
          <Choice
            name="file_id"
            label={fields.file_id}
            options={[...(next ? [] : [['', say.nothing] as const]), ...offered.map(({ id, file_name }) => [id, file_name] as const)]}
          />
          <ArtifactFields values={edit.values} />
        </Form>
      )}
    </section>
  );
}

const startOf = (file: ProductFile | undefined): ArtifactValues =>
  valuesOfArtifact({ file_id: file?.id ?? '', ...targetOf(file?.file_name ?? '') });

const optionsOf = (kind: WordKind, values: readonly string[]): Option[] => values.map((value) => [value, wordOf(kind, value)]);

const platforms = optionsOf('platform', Platform.options);
const arches = optionsOf('arch', Arch.options);
const kinds = optionsOf('artifact', ArtifactKind.options);
const feeds = optionsOf('feed', Feed.options);
const bundles: Option[] = [['', say.nothing], ...optionsOf('bundle', Bundle.options)];

const optionalFields = [
  'build',
  'minimum_os',
  'from_version',
  'package_id',
  'block_map_size',
  'ed25519_signature',
  'minisign_signature',
] as const;

/** What an artifact is for; what only some updaters want is asked for where it goes to them. */
function ArtifactFields({ values }: { values: ArtifactValues }) {
  const wanted = fieldsOf(values);
  return (
    <>
      <div class="grid">
        <Choice name="platform" label={fields.platform} options={platforms} />
        <Choice name="arch" label={fields.arch} options={arches} />
        <Choice name="kind" label={fields.kind} options={kinds} />
      </div>
      <Checks name="feeds" label={fields.feeds} hint={hints.feeds} options={feeds} optional />
      {optionalFields
        .filter((name) => wanted.includes(name) || values[name] !== '')
        .map((name) => (
          <TextField key={name} name={name} label={fields[name]} optional />
        ))}
      {(wanted.includes('bundle') || values.bundle !== '') && <Choice name="bundle" label={fields.bundle} options={bundles} optional />}
    </>
  );
}
