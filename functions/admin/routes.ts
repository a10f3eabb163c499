import type { AuditRepository } from '../../shared/audit/audit-repository.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { LicenseService } from '../../shared/licenses/license-service.ts';
import { getLicense } from './get-license.ts';
import { listAudit } from './list-audit.ts';
import { releaseActivation } from './release-activation.ts';
import { revokeLicense } from './revoke-license.ts';

/** What the admin endpoints stand on. */
export interface AdminServices {
  audit: AuditRepository;
  licenses: LicenseService;
}

export const routes: readonly Endpoint<AdminServices>[] = [
  // Licenses
  getLicense,
  revokeLicense,
  releaseActivation,
  // Audit
  listAudit,
];
