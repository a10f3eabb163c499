import * as z from 'zod/mini';

/** So many days of updates mean that they have no end; what products, orders and licenses have that were made before updates had one. */
export const endlessUpdatesDays = 36_500;

/** For how many days from its issue on a license is owed updates. */
export const updateTerms = { updatesDays: z._default(z.int(), endlessUpdatesDays) };
