import { DataTable } from '../../components/data-table.tsx';
import { State } from '../../components/state.tsx';
import { SellerText } from '../../text/seller-text.tsx';
import { formatBytes } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { texts as decisionsTexts } from '../decisions/decisions-texts.ts';
import { DownloadFile, FileChecks } from '../decisions/file-checks.tsx';
import type { ReviewedFile } from '../decisions/reviewed-file.ts';
import { fileChoices } from '../products/file-choices.ts';
import { FileDecisions } from '../products/file-decisions.tsx';
import type { ReviewedRelease } from './last-release.ts';
import { texts } from './releases-texts.ts';

type Artifact = ReviewedRelease['artifacts'][number];

/** The files of a release, each once, with what was found out about them. */
export function ReleaseFiles({ release, files, own }: { release: ReviewedRelease; files: readonly ReviewedFile[]; own: boolean }) {
  const { product_id, artifacts } = release;
  const usesOf = (id: string) => artifacts.filter(({ file_id }) => file_id === id);
  const firsts = artifacts.filter((artifact) => usesOf(artifact.file_id)[0] === artifact);
  const rows = firsts.map((artifact) => ({
    ...artifact,
    id: artifact.file_id,
    file: files.find(({ file_id }) => file_id === artifact.file_id),
  }));
  if (rows.length === 0) return <p>{texts.noFiles}</p>;
  return (
    <DataTable
      label={decisionsTexts.files}
      rows={rows}
      columns={[
        { name: texts.file, of: (artifact) => <FileName artifact={artifact} /> },
        {
          name: texts.use,
          of: ({ file_id }) => (
            <ul class="plain">
              {usesOf(file_id).map((use, index) => (
                <li key={index}>
                  <SellerText text={usageWords(use)} />
                </li>
              ))}
            </ul>
          ),
        },
        { name: texts.checks, of: ({ file }) => (file ? <FileChecks file={file} own={own} /> : <small>{texts.unlisted}</small>) },
        {
          name: decisionsTexts.state,
          of: ({ file, available }) => (
            <>
              {file && <State of="file" value={file.status} />}
              <br />
              <small>{available ? texts.available : texts.unavailable}</small>
              {file && (
                <FileDecisions file={file} own={own} choices={fileChoices(file).filter(({ decision }) => decision === 'manual_clean')} />
              )}
            </>
          ),
        },
        {
          name: decisionsTexts.download,
          of: ({ file_id, file_name }) => <DownloadFile productId={product_id} fileId={file_id} name={file_name} />,
        },
      ]}
    />
  );
}

const FileName = ({ artifact: { file_name, size_bytes, sha256_hex } }: { artifact: Artifact }) => (
  <>
    <SellerText text={file_name} />
    <br />
    <small>
      {formatBytes(size_bytes)}
      <br />
      {texts.sha256}: <code>{sha256_hex}</code>
    </small>
  </>
);

/** What a file of a release is for. */
export function usageWords(artifact: Artifact): string {
  const { platform, arch, kind, feeds = [], build, minimum_os, from_version, package_id, bundle } = artifact;
  const { ed25519_signature, minisign_signature } = artifact;
  return [
    `${wordOf('platform', platform)} ${wordOf('arch', arch)}`,
    wordOf('artifact', kind),
    ...feeds.map((feed) => wordOf('feed', feed)),
    bundle && wordOf('bundle', bundle),
    build && texts.build(build),
    from_version && texts.from(from_version),
    minimum_os && texts.os(minimum_os),
    package_id,
    (ed25519_signature ?? minisign_signature) && texts.signed,
  ]
    .filter(Boolean)
    .join(', ');
}
