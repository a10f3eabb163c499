import { useState } from 'preact/hooks';
import type { ProductFile, Release } from '../../../../../build/client.ts';
import { say as sayForms } from '../../forms/words.ts';
import { SellerText } from '../../text/seller-text.tsx';
import { type Lack, lacksIn, lacksOf } from './lacks.ts';
import { Delete, Move } from './moves.tsx';
import { say } from './release-texts.ts';

/** What a draft still lacks, and the way to its review, or out of the list. */
export function HandIn(props: {
  release: Release;
  keep: (release: Release) => void;
  files: readonly ProductFile[];
  /** Whether something was typed that would not be handed in. */
  isUnsaved: boolean;
}) {
  const { release, keep, files, isUnsaved } = props;
  const [refused, setRefused] = useState<readonly Lack[]>([]);
  const known = lacksOf(release, files);
  return (
    <section class="card">
      <h2>{say.moves.submitRelease.do}</h2>
      <Lacks lacks={known.length > 0 ? known : refused} release={release} />
      <p>{isUnsaved ? say.unsaved : say.submitText}</p>
      <Move
        operation="submitRelease"
        release={release}
        keep={keep}
        disabled={isUnsaved}
        onFailure={(failure) => setRefused(failure?.code === 'release_incomplete' ? lacksIn(failure.message) : [])}
      >
        <Delete release={release} />
      </Move>
    </section>
  );
}

function Lacks({ lacks, release: { artifacts } }: { lacks: readonly Lack[]; release: Release }) {
  if (lacks.length === 0) return <p>{say.lacksNone}</p>;
  return (
    <div class="notice warn">
      <p>{say.lacks}</p>
      <ul>
        {lacks.map(({ at, field, text }) => (
          <li key={`${at} ${field}`}>
            {at !== undefined && <SellerText text={`${artifacts[at]?.file_name ?? at + 1}: `} />}
            {at === undefined ? say.noFull : sayForms.fault(names[field] ?? field, sayForms.told(text))}
          </li>
        ))}
      </ul>
    </div>
  );
}

const names: Readonly<Record<string, string>> = say.fields;
