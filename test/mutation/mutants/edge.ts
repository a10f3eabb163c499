import type { Mutant } from '../mutant.ts';
import { edgeIdentity } from './edge-identity.ts';
import { edgeLimits } from './edge-limits.ts';
import { edgeLocal } from './edge-local.ts';
import { edgeReplies } from './edge-replies.ts';

/** What stands between callers and the rules: identity, limits, replies, and the local stack's own doors. */
export const edge: readonly Mutant[] = [...edgeIdentity, ...edgeLimits, ...edgeLocal, ...edgeReplies];
