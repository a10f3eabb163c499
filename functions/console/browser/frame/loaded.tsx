import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Read, readAgain } from '../api/reads.ts';
import { FailureNotice } from '../parts/failure-notice.tsx';
import { say } from './frame-texts.ts';

const placeholderAfterMs = 300;

/** What was read, once it is there; until then its place, and what failed beside what is there already. */
export function Loaded<Body>({ of: read, children }: { of: Read<Body>; children: (body: Body) => ComponentChildren }) {
  const { body } = read;
  // That the session is over is told below the screen, which stays as it is.
  const failure = body !== undefined && read.failure?.code === 'unauthenticated' ? undefined : read.failure;
  return (
    <>
      {failure && <FailureNotice failure={failure} what={say.notRead} onRetry={() => readAgain()} />}
      {body !== undefined && children(body)}
      {body === undefined && !failure && <Placeholder />}
    </>
  );
}

/** Says that something comes, once that takes long enough to be noticed. */
export function Placeholder() {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), placeholderAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div class="placeholder" aria-busy="true">
      {late && (
        <p class="small">
          <progress aria-label={say.loading} />
        </p>
      )}
    </div>
  );
}
