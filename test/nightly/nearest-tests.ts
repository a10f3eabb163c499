import { execFileSync } from 'node:child_process';
import { project, readProject } from './reach.ts';

/** How many files of tests are near enough for a quick look. */
const most = 6;

/** The files that differ from main's, new ones among them; undefined where git does not tell. */
export function changedFiles(root = project): string[] | undefined {
  const list = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).split('\n').filter(Boolean);
  try {
    return [...list('diff', '--name-only', '--merge-base', 'main'), ...list('ls-files', '--others', '--exclude-standard')];
  } catch {
    return undefined;
  }
}

/** The words of a path that tell what it is about. */
const wordsOf = (path: string) =>
  path.split(/[/.-]/).filter((word) => !/^(functions|infra|shared|test|ts|tsx|unit|endpoints|model)$/.test(word));

/** Of these tests those that the fewest imports lead from to what changed; that their paths share a word with its path counts for four. */
export function nearestTests(tests: readonly string[], changed: readonly string[], root = project): string[] {
  const { distanceTo } = readProject(root);
  const targets = new Set(changed);
  const words = new Set(changed.flatMap(wordsOf));
  const near = tests.flatMap((path) => {
    const distance = distanceTo(targets, path);
    return distance === undefined ? [] : [{ path, far: distance - 4 * wordsOf(path).filter((word) => words.has(word)).length }];
  });
  return near
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ path }) => path);
}
