import { addArtifactsRoute } from './add-artifacts.ts';
import { deleteReleaseRoute } from './delete-release.ts';
import { getReleaseRoute } from './get-release.ts';
import { listReleasesRoute } from './list-releases.ts';
import { publishReleaseRoute } from './publish-release.ts';
import { saveReleaseRoute } from './save-release.ts';
import { submitReleaseRoute } from './submit-release.ts';
import { withdrawReleaseRoute } from './withdraw-release.ts';
import { yankReleaseRoute } from './yank-release.ts';

export const routes = [
  saveReleaseRoute,
  addArtifactsRoute,
  listReleasesRoute,
  getReleaseRoute,
  submitReleaseRoute,
  withdrawReleaseRoute,
  publishReleaseRoute,
  yankReleaseRoute,
  deleteReleaseRoute,
];
