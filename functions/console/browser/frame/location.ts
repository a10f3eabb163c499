import { screenAt } from '../../screens.ts';
import { createStore } from '../store/store.ts';
import { useStore } from '../store/use-store.ts';

/** Where the tab is. */
interface Visit {
  /** Without a slash at its end. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Whether it was gone to just now; what is gone back to is not new. */
  isNew: boolean;
}

const visit = createStore<Visit>({ path: '', query: {}, isNew: false });

const look = (isNew: boolean): void =>
  visit.set({
    path: location.pathname.replace(/\/+$/, ''),
    query: Object.fromEntries(new URLSearchParams(location.search)),
    isNew,
  });

/** Shows from now on what the address names. Links to this role's screens lead there without a page load. */
export function followAddress(): void {
  look(false);
  addEventListener('popstate', () => look(false));
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || event.defaultPrevented || !isPlain(event) || !leadsToScreen(link)) return;
    event.preventDefault();
    navigate(link.href);
  });
}

/** Whether a click asks for no other tab, window or menu. */
export const isPlain = ({ button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean =>
  button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey;

const leadsToScreen = (link: HTMLAnchorElement): boolean =>
  link.origin === location.origin &&
  link.target === '' &&
  !link.getAttribute('href')?.startsWith('#') &&
  screenAt(link.pathname, ROLE) !== undefined;

/** Goes to a screen; whoever goes back from it comes to where they are now, or to where they were before it. */
export function navigate(url: string, isInstead = false): void {
  if (isInstead) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  look(!isInstead);
}

export const useLocation = (): Visit => useStore(visit);

/** What stands in the address in the place of a parameter of the screen's path. */
export function useParam(name: string): string {
  const { path } = useLocation();
  const place = screenAt(path, ROLE)?.split('/').indexOf(`:${name}`) ?? -1;
  return decoded(path.split('/')[place] ?? '');
}

/** What nobody encoded so is taken as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
