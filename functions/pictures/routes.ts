import { getPicture } from './get-picture.ts';
import { getPreviewPicture } from './get-preview-picture.ts';

export const routes = [getPicture, getPreviewPicture];
