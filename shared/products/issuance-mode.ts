import * as z from 'zod/mini';

/** Where the license keys of a product come from. */
export const LicenseIssuanceMode = z.enum(['generated_server_validated', 'imported_csv']);
export type LicenseIssuanceMode = z.infer<typeof LicenseIssuanceMode>;
