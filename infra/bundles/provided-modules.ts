import type { Plugin } from 'esbuild';

/** Modules that are written by the build. */
export const providing = (modules: Readonly<Record<string, string>>): Plugin => ({
  name: 'provided',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^console:/ }, ({ path }) => (path in modules ? { path, namespace: 'provided' } : undefined));
    onLoad({ filter: /^/, namespace: 'provided' }, ({ path }) => ({ contents: modules[path] ?? '', loader: 'js' }));
  },
});
