import { getPictureRoute } from './get-picture.ts';
import { getPreviewPictureRoute } from './get-preview-picture.ts';

export const routes = [getPictureRoute, getPreviewPictureRoute];
