import * as z from 'zod/mini';

const form = /^(acct|cs|pi|ch|py|re|pyr|du|dp|evt)_[A-Za-z0-9_]{1,250}$/;

/** Whether `text` can be part of a path of the provider's API. See "Provider ids" in shared/payments/README.md */
export const isProviderId = (text: string) => form.test(text);

/** An id that came in an event. */
export const ProviderId = z.string().check(z.refine(isProviderId));

/** In whose name an event is to be retrieved: ids, of an organization and its account, say, that a header takes. */
export const ProviderContext = z.string().check(z.regex(/^\w{1,250}(\/\w{1,250}){0,3}$/));
