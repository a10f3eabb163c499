import type { BodyOf } from '../api/call.ts';

/** Who is signed in. */
export type Me = BodyOf<'getMe'>;
