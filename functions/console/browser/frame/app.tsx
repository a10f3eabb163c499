import { render } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { screenAt } from '../../screens.ts';
import { useRead } from '../api/reads.ts';
import { LiveRegion } from '../components/live.tsx';
import { forgetDrafts, startDrafts } from '../forms/drafts.ts';
import { session, startSession } from '../session/session.ts';
import { useStore } from '../store/use-store.ts';
import { loadConfig } from './config.ts';
import { texts } from './frame-texts.ts';
import { Gate, SessionOver, WrongRole } from './gate.tsx';
import { Late, type LoadScreens, Placeholder, type Screens } from './loaded.tsx';
import { followAddress, useLocation } from './location.ts';
import { Navigation, type Place } from './navigation.tsx';
import { NotFound } from './not-found.tsx';
import { followTheme, leadToChosenLanguage } from './preferences.ts';

interface RoleScreens {
  screens: Screens;
  /** All others, where a role has others. */
  loadLate?: LoadScreens | undefined;
}

/** Starts the console of a role: signs in, then shows the screen of the address. */
export async function startConsole({ screens, loadLate, places }: RoleScreens & { places: readonly Place[] }): Promise<void> {
  if (leadToChosenLanguage()) return;
  followTheme();
  // Before a form can look for its draft: another person's is none.
  session.subscribe(() => {
    const state = session.get();
    if (state.name === 'signed-in') startDrafts(state.userId);
    if (state.name === 'signed-out') forgetDrafts();
  });
  // First of all this puts the address of the screen in the place of the sign-in's.
  const started = startSession(loadConfig(), ROLE);
  followAddress();
  // By the time somebody is signed in it is there; what fails is tried again, and told.
  if (lateScreenAt(location.pathname, screens)) void loadLate?.().catch(() => undefined);
  const root = document.getElementById('console');
  // What stands there until now is no part of it.
  root?.replaceChildren();
  if (root) render(<Frame screens={screens} loadLate={loadLate} places={places} />, root);
  await started;
}

function Frame({ places, ...screens }: RoleScreens & { places: readonly Place[] }) {
  const { name } = useStore(session);
  // When the session has ended, the screen and what was typed stay visible.
  const isIn = name === 'signed-in' || name === 'over';
  const { body: me, loading } = useRead('getMe', {}, { enabled: isIn });
  // Nobody sees screens fail that are not theirs.
  const isUnknown = ROLE === 'admin' && loading;
  const isStranger = ROLE === 'admin' && me !== undefined && !me.roles.includes('admin');
  return (
    <>
      <a class="skip" href="#main">
        {texts.skip}
      </a>
      <div class="columns">
        <Navigation places={isIn && !isStranger ? places : []} me={isIn ? me : undefined} />
        <main id="main" tabIndex={-1}>
          <Gate />
          {isIn && isStranger && <WrongRole />}
          {isIn && isUnknown && <Placeholder />}
          {isIn && !isUnknown && !isStranger && <Shown {...screens} />}
          <SessionOver />
        </main>
      </div>
      <LiveRegion />
    </>
  );
}

/** The path of the screen of an address, where it is none of these. */
function lateScreenAt(path: string, screens: Screens): string | undefined {
  const screen = screenAt(path.replace(/\/+$/, ''), ROLE);
  return screen !== undefined && screens[screen] ? undefined : screen;
}

/** The screen of the address, from its top on if it is new. */
function Shown({ screens, loadLate }: RoleScreens) {
  const { path, isNew } = useLocation();
  useLayoutEffect(() => {
    if (isNew) scrollTo(0, 0);
  }, [path]);
  const late = lateScreenAt(path, screens);
  // Another address is another screen, also of the same kind.
  if (late !== undefined && loadLate) return <Late key={path} name={late} load={loadLate} />;
  const Named = screens[screenAt(path, ROLE) ?? ''] ?? NotFound;
  return <Named key={path} />;
}
