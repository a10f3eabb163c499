import type { BuildOptions } from 'esbuild';

/** How what browsers load is bundled: in the form that every supported browser runs. */
export const browserOptions = {
  bundle: true,
  minify: true,
  charset: 'utf8',
  format: 'iife',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  // The sources' own tsconfig is for checking, not for building.
  tsconfigRaw: {},
  logLevel: 'warning',
} as const satisfies BuildOptions;
