import { deleteRelease } from './delete-release.ts';
import { getRelease } from './get-release.ts';
import { listReleases } from './list-releases.ts';
import { publishRelease } from './publish-release.ts';
import { saveRelease } from './save-release.ts';
import { submitRelease } from './submit-release.ts';
import { withdrawRelease } from './withdraw-release.ts';
import { yankRelease } from './yank-release.ts';

export const routes = [saveRelease, listReleases, getRelease, submitRelease, withdrawRelease, publishRelease, yankRelease, deleteRelease];
