import { locales } from '../../shared/locale.ts';
import { launchBrowser } from '../support/http/browser.ts';
import { startExamples } from '../support/scenes/console/example-screens.ts';
import { measureFirstVisit, measureInteractions, measureNext, measureScreens } from '../support/scenes/console/measures.ts';

/** What the console costs in a browser on a slow machine, beside what it may cost. */
export async function measureConsole(): Promise<Record<string, string | number>[]> {
  const [browser, stack] = await Promise.all([launchBrowser(), startExamples()]);
  try {
    const { screens } = stack;
    const rows: Record<string, string | number>[] = [];
    for (const home of screens.filter(({ path }) => path === '/console' || path === '/console/admin')) {
      for (const locale of locales) {
        const { bytes, files } = await measureFirstVisit(browser, stack, home, locale);
        rows.push({ what: `first visit, ${home.name}, ${locale}`, figure: `${bytes} bytes, ${files.size} files`, most: '90000, 8' });
      }
    }
    const next = await measureNext(browser, stack, screens, { tries: 3 });
    const loaded = await measureScreens(browser, stack, screens, { tries: 3 });
    const slowly = await measureScreens(browser, stack, screens, { network: 'slow' });
    const worst = (figures: readonly { name: string }[], of: (figure: any) => number, digits = 0) => {
      const [first] = figures.toSorted((a, b) => of(b) - of(a));
      return first ? `${of(first).toFixed(digits)} (${first.name})` : '';
    };
    const add = (what: string, figure: string, most: string) => rows.push({ what, figure, most });
    add(
      'requests of a screen',
      worst(loaded, ({ requests }) => requests.length),
      '5',
    );
    add(
      'usable, ms',
      worst(loaded, ({ usableMs }) => usableMs),
      '1500',
    );
    add(
      'usable at 1.6 Mbit/s and 150 ms, ms',
      worst(slowly, ({ usableMs }) => usableMs),
      '4000',
    );
    add(
      'next screen, ms',
      worst(next, ({ nextMs }) => nextMs),
      '300',
    );
    add(
      'what moves',
      worst([...loaded, ...slowly], ({ shift }) => shift, 3),
      '0.05',
    );
    add('an interaction at 100 rows, ms', String(await measureInteractions(browser, stack, screens[0]?.as ?? '')), '200');
    return rows;
  } finally {
    await browser.close();
    await stack.stop();
  }
}
