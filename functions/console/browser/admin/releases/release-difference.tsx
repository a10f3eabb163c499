import type { FieldValue } from '../../text/field-text.ts';
import { FieldDiff } from '../../text/word-diff.tsx';
import { formatBytes, formatTime } from '../../words/formats.ts';
import { wordOf } from '../../words/words.ts';
import type { ReviewedRelease } from './last-release.ts';
import { usageWords } from './release-files.tsx';
import { texts } from './releases-texts.ts';

type Field = keyof typeof texts.fields;

/** What the seller wrote of a release, in the order in which it matters. */
const fields: readonly (readonly [Field, (release: ReviewedRelease) => FieldValue, show?: (value: string | number | boolean) => string])[] =
  [
    ['version', ({ version }) => version],
    ['channel', ({ channel }) => wordOf('channel', channel)],
    ['notes', ({ notes }) => notes],
    ['critical', ({ critical }) => critical],
    ['publish_on_approval', ({ publish_on_approval }) => publish_on_approval],
    ['rollout_percent', ({ rollout_percent = 100 }) => rollout_percent],
    ['requires_features', ({ requires_features }) => requires_features],
    ['covered_at', ({ covered_at }) => covered_at, (value) => formatTime(String(value))],
    [
      'artifacts',
      ({ artifacts }) =>
        artifacts.map((artifact) => `${artifact.file_name} (${formatBytes(artifact.size_bytes)}): ${usageWords(artifact)}`),
    ],
  ];

/** What the seller wrote of a release, word by word against the one before it. */
export function ReleaseDifference({ release, last }: { release: ReviewedRelease; last: ReviewedRelease | undefined }) {
  return (
    <section class="stack">
      <h2>{last ? texts.against(last.version) : texts.fields.notes}</h2>
      {!last && <p>{texts.first}</p>}
      <dl class="facts">
        {fields.map(([field, read, show]) => (
          <FieldDiff
            key={field}
            field={field}
            label={texts.fields[field]}
            before={read(last ?? release)}
            after={read(release)}
            {...(show && { show })}
          />
        ))}
      </dl>
    </section>
  );
}
