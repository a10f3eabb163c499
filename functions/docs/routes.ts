import { getClientFile } from './get-client-file.ts';
import { getDocs, getSellerGuide, getUpdateGuide } from './get-docs.ts';
import { getDocsAsset } from './get-docs-asset.ts';
import { getOpenApi } from './get-openapi.ts';

export const routes = [getOpenApi, getDocs, getSellerGuide, getUpdateGuide, getDocsAsset, getClientFile];
