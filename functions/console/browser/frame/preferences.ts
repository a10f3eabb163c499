import { createStore } from '../store/store.ts';

/** The language of the console, if one was chosen, and its colours, if they are not the browser's. Nothing else is kept for longer than a tab lives. */
interface Preferences {
  language?: 'en' | 'ja';
  theme?: 'light' | 'dark';
}

const key = 'console';

function read(): Preferences {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    const language = 'language' in kept ? kept.language : undefined;
    const theme = 'theme' in kept ? kept.theme : undefined;
    return {
      ...((language === 'en' || language === 'ja') && { language }),
      ...((theme === 'light' || theme === 'dark') && { theme }),
    };
  } catch {
    // Some browsers keep nothing at all.
    return {};
  }
}

function keep(change: Preferences): void {
  try {
    localStorage.setItem(key, JSON.stringify({ ...read(), ...change }));
  } catch {
    // Then it holds as long as the page.
  }
}

const chosenIn = (search: string) => new URLSearchParams(search).get('lang');

/** Replaces the page by that in the language that was chosen last, whatever its address says, if this is another; says whether it does. */
export function leadToChosenLanguage(): boolean {
  const { language } = read();
  if (language === undefined || language === LANGUAGE || chosenIn(location.search) === language) return false;
  location.replace(addressIn(language));
  return true;
}

/** The present address in a language. */
export function addressIn(language: 'en' | 'ja'): string {
  const url = new URL(location.href);
  url.searchParams.set('lang', language);
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Shows the page in the other language: what was typed waits as a draft. */
export function switchLanguage(): void {
  const other = LANGUAGE === 'ja' ? 'en' : 'ja';
  keep({ language: other });
  location.assign(addressIn(other));
}

const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** The colours that are shown. */
export const theme = createStore<'light' | 'dark'>(read().theme ?? systemTheme());

function systemTheme(): 'light' | 'dark' {
  return systemDark.matches ? 'dark' : 'light';
}

export function switchTheme(): void {
  const other = theme.get() === 'dark' ? 'light' : 'dark';
  keep({ theme: other });
  theme.set(other);
}

/** Shows the chosen colours from now on, whatever the browser prefers. */
export function followTheme(): void {
  const darkRules = darkRulesOf(document.styleSheets);
  const show = () => {
    const shown = theme.get();
    for (const rule of darkRules) rule.media.mediaText = shown === 'dark' ? 'all' : 'not all';
    document.documentElement.style.colorScheme = shown;
  };
  show();
  theme.subscribe(show);
  systemDark.addEventListener('change', () => read().theme ?? theme.set(systemTheme()));
}

/** The rules for dark colours: they follow what was chosen once their condition does. */
function darkRulesOf(holders: Iterable<CSSStyleSheet | CSSGroupingRule>): CSSMediaRule[] {
  return [...holders].flatMap(({ cssRules }) =>
    [...cssRules].flatMap((rule) => {
      if (rule instanceof CSSMediaRule && rule.conditionText.includes('prefers-color-scheme: dark')) return [rule];
      return rule instanceof CSSGroupingRule ? darkRulesOf([rule]) : [];
    }),
  );
}
