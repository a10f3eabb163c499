import * as z from 'zod/mini';
import { email, filledLine, webUri } from '../schemas.ts';

/** What a user sends to apply. */
export const CreateSellerRequest = z.object({
  displayName: filledLine(200),
  contactEmail: email,
  supportEmail: email,
  siteUrl: webUri,
});
export type CreateSellerRequest = z.infer<typeof CreateSellerRequest>;

/** What a seller changes of where it is reached, without another review. */
export const UpdateSellerRequest = z.object({ contactEmail: z.optional(email), supportEmail: z.optional(email) });
export type UpdateSellerRequest = z.infer<typeof UpdateSellerRequest>;
