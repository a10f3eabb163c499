import * as z from 'zod/mini';

const form = /^(acct|cs|pi|ch|du|dp|evt|re|pyr)_[A-Za-z0-9_]{1,200}$/;

/** Whether `text` can be part of a path of the provider's API. See "Provider ids" in README.md */
export const isProviderId = (text: string) => form.test(text);

/** An id that came in an event. */
export const ProviderId = z.string().check(z.refine(isProviderId));
