import * as z from 'zod/mini';
import { fault } from './faults/fault.ts';
import * as rules from './faults/rules.ts';
import { nonBlankText } from './schemas.ts';

/** Query parameters of every list. See "Lists" in shared/http/README.md. */
export const pageQuery = {
  limit: z._default(
    z
      .pipe(
        z.string().check(z.regex(/^([1-9]\d?|100)$/, fault(rules.notWholeWithin, { min: 1, max: 100 }))),
        z.transform((value: string) => Number(value)),
      )
      .register(z.globalRegistry, { type: 'integer', minimum: 1, maximum: 100 }),
    50,
  ),
  cursor: z.optional(nonBlankText(1024)),
};

/** `{items, next_cursor?}` */
export const pageOf = <Item extends z.core.$ZodType>(item: Item) => z.object({ items: z.array(item), nextCursor: z.optional(z.string()) });
