import { useEffect, useState } from 'preact/hooks';
import type { BodyOf } from '../api/call.ts';
import { Dialog } from '../components/dialog.tsx';
import { hasDrafts } from '../forms/drafts.ts';
import { signOut } from '../session/session.ts';
import { useStore } from '../store/use-store.ts';
import { texts } from './frame-texts.ts';
import { useLocation } from './location.ts';
import { switchLanguage, switchTheme, theme } from './preferences.ts';

/** Who is signed in. */
type Me = BodyOf<'getMe'>;

/** A place of the navigation. */
export interface Place {
  href: string;
  text: string;
}

/** Everything around the screens: where one can go, who is signed in, language and colours. */
export function Navigation({ places, me }: { places: readonly Place[]; me: Me | undefined }) {
  const { path } = useLocation();
  const [open, setOpen] = useState(false);
  const shown = useStore(theme);
  // Whoever went somewhere is done with the menu.
  useEffect(() => setOpen(false), [path]);
  const home = places[0]?.href ?? '/console';
  return (
    <header class={open ? 'side open' : 'side'}>
      <div class="brand-line">
        <a class="brand" href={home}>
          {ROLE === 'admin' ? texts.adminConsole : texts.console}
        </a>
        <button type="button" class="menu-button" aria-expanded={open} aria-controls="menu" onClick={() => setOpen(!open)}>
          {texts.menu}
        </button>
      </div>
      <div class="menu" id="menu">
        <nav aria-label={texts.menu}>
          <ul>
            {places.map(({ href, text }) => (
              <li key={href}>
                <a href={href} aria-current={isAt(path, href, home) ? 'page' : undefined}>
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="side-end">
          {me && (
            <p class="small">
              {texts.signedInAs} <bdi>{me.email ?? me.user_id}</bdi>
            </p>
          )}
          {me && <OtherRole me={me} />}
          <p class="switches">
            <button
              type="button"
              class="text-button"
              data-action="language"
              lang={LANGUAGE === 'ja' ? 'en' : 'ja'}
              onClick={switchLanguage}
            >
              {texts.language}
            </button>
            <button type="button" class="text-button" data-action="theme" onClick={switchTheme}>
              {shown === 'dark' ? texts.light : texts.dark}
            </button>
          </p>
          {me && <SignOut />}
        </div>
      </div>
    </header>
  );
}

/** The way to the other console: a page of its own. */
function OtherRole({ me }: { me: Me }) {
  if (ROLE === 'admin')
    return (
      <p>
        <a href="/console">{texts.toSeller}</a>
      </p>
    );
  return me.roles.includes('admin') ? (
    <p>
      <a href="/console/admin">{texts.toAdmin}</a>
    </p>
  ) : null;
}

const isAt = (path: string, href: string, home: string): boolean =>
  path === href || path === `${href}/` || (href !== home && path.startsWith(`${href}/`));

/** Signs out; asks first while something that was typed would be lost. */
function SignOut() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button type="button" class="text-button" data-action="sign-out" onClick={() => (hasDrafts() ? setAsking(true) : void signOut())}>
        {texts.signOut}
      </button>
      <Dialog title={texts.signOut} open={asking} onClose={() => setAsking(false)}>
        <p>{texts.signOutDrafts}</p>
        <p class="buttons">
          <button type="button" class="button danger" data-action="sign-out" onClick={() => void signOut()}>
            {texts.signOut}
          </button>
          <button type="button" class="button quiet" onClick={() => setAsking(false)}>
            {texts.cancel}
          </button>
        </p>
      </Dialog>
    </>
  );
}
