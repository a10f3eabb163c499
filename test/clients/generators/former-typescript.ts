/** Hands generators the TypeScript that they are written for: since 7 it has no such programming interface. */
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

const { resolve } = createRequire(import.meta.resolve('typescript-json-schema'));
const former = pathToFileURL(resolve('typescript')).href;
registerHooks({ resolve: (name, context, next) => next(name === 'typescript' ? former : name, context) });
