import { getPicture } from './get-picture.ts';

export const routes = [getPicture];
