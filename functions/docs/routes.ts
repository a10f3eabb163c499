import { getClientFileRoute } from './get-client-file.ts';
import { getDocsRoute, getSellerGuideRoute, getUpdateGuideRoute } from './get-docs.ts';
import { getDocsAssetRoute } from './get-docs-asset.ts';
import { getOpenApiRoute } from './get-openapi.ts';

export const routes = [getOpenApiRoute, getDocsRoute, getSellerGuideRoute, getUpdateGuideRoute, getDocsAssetRoute, getClientFileRoute];
