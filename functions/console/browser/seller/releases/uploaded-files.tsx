import type { ProductFile } from '../../../../../build/client.ts';
import { type List, refresh } from '../../api/reads.ts';
import { AskFirst } from '../../components/ask-first.tsx';
import { DataTable, More } from '../../components/data-table.tsx';
import { useAnnouncements } from '../../components/live.tsx';
import { State } from '../../components/state.tsx';
import { FileField } from '../../fields/file-field.tsx';
import { config } from '../../frame/config.ts';
import { Uploads } from '../../uploads/upload-list.tsx';
import { startUpload } from '../../uploads/uploads.ts';
import { formatBytes } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import { checkOf, usableFiles, versionsByFile } from './release-files.ts';
import { fields, texts } from './release-texts.ts';
import type { ReleaseProps } from './use-release.ts';

/** Where files for releases come from, and how their checks stand. */
export function UploadedFiles({ release, releases, files }: ReleaseProps & { files: List<ProductFile> }) {
  const productId = release.product_id;
  const versions = versionsByFile([...releases, release]);
  const usable = usableFiles(files.body ?? []);
  useAnnouncements(Object.fromEntries(usable.map((file) => [file.id, `${file.file_name}: ${wordOf(...checkOf(file))}`])));
  return (
    <section class="stack">
      <h2 id="uploads" tabIndex={-1}>
        {texts.uploads}
      </h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <FileField
          label={texts.upload}
          operation="createProductFileUploadIntent"
          hint={texts.nameHint}
          multiple
          forgets
          onFiles={(chosen) => {
            const maxBytes = config.get()?.limits.max_file_bytes;
            for (const file of chosen) startUpload({ productId, purpose: 'release', file, ...(maxBytes && { maxBytes }) });
          }}
        />
      </form>
      <Uploads productId={productId} purpose="release" onEnd={refresh} />
      {usable.length > 0 && (
        <>
          <DataTable
            label={texts.uploads}
            rows={usable}
            columns={[
              { name: fields.file_id, of: ({ file_name }) => file_name },
              {
                name: texts.checks,
                of: (file) => {
                  const [kind, value] = checkOf(file);
                  return <State of={kind} value={value} />;
                },
              },
              { name: texts.size, of: ({ size_bytes }) => formatBytes(size_bytes), number: true },
              {
                name: texts.usedIn,
                of: ({ id, file_name }) => versions.get(id) ?? <Remove productId={productId} id={id} name={file_name} />,
              },
            ]}
          />
          <p class="small">{texts.unused}</p>
        </>
      )}
      <More of={files} />
    </section>
  );
}

const Remove = ({ productId, id, name }: { productId: string; id: string; name: string }) => (
  <AskFirst
    operation="withdrawProductFile"
    args={() => ({ path: { product_id: productId, file_id: id } })}
    target={id}
    ask={texts.remove}
    label={`${texts.remove}: ${name}`}
    notDone={texts.notRemoved}
    focusAfter="uploads"
  >
    <p>{texts.removeText(name)}</p>
  </AskFirst>
);
