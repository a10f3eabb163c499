import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Runs code of the guide as a module in a folder. What it imports by these names is what is given here, each thing by its name and
 * all of them as the default; what it does not declare, such as `lease`, is the task's.
 */
export async function runSnippet(task: { folder: string; snippet: string }, modules: Record<string, object>): Promise<void> {
  const file = join(task.folder, 'snippet.mjs');
  const address = pathToFileURL(file).href;
  Object.assign(globalThis, task, { modules });
  const sourceOf = (name: string) => {
    const things = `globalThis.modules[${JSON.stringify(name)}]`;
    return `export default ${things}; export const { ${Object.keys(modules[name] ?? {}).join(', ')} } = ${things};`;
  };
  registerHooks({
    resolve: (name, context, next) =>
      context.parentURL === address && Object.hasOwn(modules, name)
        ? { url: `data:text/javascript,${encodeURIComponent(sourceOf(name))}`, shortCircuit: true }
        : next(name, context),
  });
  writeFileSync(file, task.snippet);
  await import(address);
}
