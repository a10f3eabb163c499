import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiFailure } from '../api/failure.ts';
import { type List, type Read, refresh } from '../api/reads.ts';
import { More } from '../components/data-table.tsx';
import { FailureNotice } from '../components/failure-notice.tsx';
import { createStore } from '../store/store.ts';
import { useStore } from '../store/use-store.ts';
import { texts } from './frame-texts.ts';
import { useLocation } from './location.ts';

const placeholderAfterMs = 300;

/** What was read, once it is there; until then its place, and what failed beside what is there already. */
export function Loaded<Body>({ of: read, children }: { of: Read<Body>; children: (body: Body) => ComponentChildren }) {
  const { body } = read;
  // That the session is over is told below the screen, which stays as it is.
  const failure = body !== undefined && read.failure?.code === 'unauthenticated' ? undefined : read.failure;
  return (
    <>
      {failure && <FailureNotice failure={failure} notDone={texts.notRead} onRetry={() => refresh()} />}
      {body !== undefined && children(body)}
      {body === undefined && !failure && <Placeholder />}
    </>
  );
}

/** A list as far as it was read, with the way to more of it; `none` where nothing is in it. */
export const LoadedList = <Item,>({
  of: list,
  none,
  children,
}: {
  of: List<Item>;
  none: ComponentChildren;
  children: (items: Item[]) => ComponentChildren;
}) => (
  <>
    <Loaded of={list}>{(items) => (items.length === 0 ? none : children(items))}</Loaded>
    <More of={list} />
  </>
);

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
          <progress aria-label={texts.loading} />
        </p>
      )}
    </div>
  );
}

/** Screens of a role by their paths, as `functions/console/screens.ts` has them. */
export type Screens = Readonly<Record<string, ComponentType>>;
/** Loads the script of those that come late. */
export type LoadScreens = () => Promise<{ screens: Screens }>;

const late = createStore<Screens>({});

/** A screen that comes late, once its script is there. */
export function Late({ name, load }: { name: string; load: LoadScreens }) {
  const { isNew } = useLocation();
  const [failure, setFailure] = useState<ApiFailure>();
  const Named = useStore(late)[name];

  async function open(mayReload: boolean): Promise<void> {
    setFailure(undefined);
    try {
      late.set((await load()).screens);
    } catch {
      const isThere = await fetch(location.href, { method: 'HEAD' }).then(
        ({ ok }) => ok,
        () => false,
      );
      // The script of a version that is gone: the page has that of the present one.
      if (isThere && mayReload) location.reload();
      else setFailure(new ApiFailure({ code: isThere ? 'config_unavailable' : 'offline' }));
    }
  }
  useEffect(() => {
    if (!Named) void open(isNew);
  }, [name]);

  if (Named) return <Named />;
  return failure ? <FailureNotice failure={failure} notDone={texts.notRead} onRetry={() => void open(true)} /> : <Placeholder />;
}
