import type { Needs } from '../../shared/context.ts';
import { endpoint, Reply } from '../../shared/http/endpoint.ts';
import { draftRequest, saveDraft } from '../../shared/publishing/save-draft.ts';
import { ReleaseRequest } from '../../shared/releases/release-request.ts';
import { Release } from '../../shared/releases/release-view.ts';

export const saveReleaseRoute = endpoint({
  operationId: 'saveRelease',
  method: 'POST',
  path: '/v1/products/{product_id}/releases',
  tag: 'Releases',
  summary: 'Makes the draft of a version, or edits it',
  description:
    'While the version is a draft, sending it again edits it and answers 200: `version` alone is needed then, what is given takes the place of what the draft has (`artifacts` as a whole), and the rest stays. What is optional goes by deleting the draft and making it anew. With `expected_revision` only the draft that you read is edited, and none is made. A product has at most 2,000 releases, of which 20 were never published.',
  audience: 'seller',
  tokenScopes: ['releases:write'],
  body: ReleaseRequest,
  bodyFor: draftRequest,
  success: { status: 201, body: Release, otherStatuses: { 200: { description: 'The draft that there was, as it is now.' } } },
  errors: [
    'product_not_found',
    'forbidden',
    'seller_not_eligible',
    'product_suspended',
    'stale_revision',
    'version_taken',
    'file_not_found',
    'file_in_use',
    'too_many_releases',
  ],
  handle: async ({ body, params, identity }, c: Needs<'table' | 'now' | 'REVIEW_DUE_HOURS'>) => {
    const { release, isNew } = await saveDraft(c, identity, params.productId, body);
    return new Reply(release, { status: isNew ? 201 : 200 });
  },
});
