import { findFunctions } from './find-functions.ts';

/** `npm run starts`: writes what starts each function, for the type check. */
await findFunctions();
