import { getClientFile } from './get-client-file.ts';
import { getDocs } from './get-docs.ts';
import { getDocsAsset } from './get-docs-asset.ts';
import { getOpenApi } from './get-openapi.ts';

export const routes = [getOpenApi, getDocs, getDocsAsset, getClientFile];
