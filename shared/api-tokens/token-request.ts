import * as z from 'zod/mini';
import { tokenScopes } from '../audit/caller.ts';
import { fault } from '../faults/fault.ts';
import * as rules from '../faults/rules.ts';
import { nonBlankLine, nonBlankText } from '../schemas.ts';

const unrepeated = <T>(list: readonly T[]): T[] => [...new Set(list)];

// The length is checked first; otherwise every invalid element would be reported.
const someScopes = z
  .array(z.unknown())
  .check(z.maxLength(100))
  .register(z.globalRegistry, { items: { type: 'string', enum: tokenScopes }, minItems: 1 });
const someProducts = z
  .array(z.unknown())
  .check(z.maxLength(20))
  .register(z.globalRegistry, { items: { type: 'string', minLength: 1, maxLength: 64 }, minItems: 1 });

/** What a seller sends. Repeats are folded. */
export const CreateApiTokenRequest = z.object({
  name: nonBlankLine(100),
  scopes: z.pipe(someScopes, z.pipe(z.array(z.enum(tokenScopes)).check(z.minLength(1, fault(rules.noScope))), z.transform(unrepeated))),
  productIds: z.optional(
    z.pipe(
      someProducts,
      z.pipe(z.array(nonBlankText(64).brand('product')).check(z.minLength(1, fault(rules.noProduct))), z.transform(unrepeated)),
    ),
  ),
  expiresInDays: z.int().check(z.minimum(1), z.maximum(366)),
});
export type CreateApiTokenRequest = z.infer<typeof CreateApiTokenRequest>;
