import { Duration } from 'aws-cdk-lib';
import {
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  type ErrorResponse,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

/** How the paths differ that the CDN may keep replies of: only as long as the reply's own `Cache-Control` says. */
export const cachedPaths = {
  /** In the language of `lang`, else of the browser; and by what else the query asks for. */
  pages: ['/p/*', '/docs', '/docs/sellers', '/docs/updates', '/v1/public/products/*/releases'],
  /** The same for everybody. */
  files: [
    '/assets/*',
    '/console/assets/*',
    '/images/*',
    '/docs/*',
    '/clients/*',
    '/openapi.json',
    '/.well-known/jwks.json',
    '/v1/public/products/*',
  ],
} as const;

/** What lies under those and is for one caller. */
export const uncachedPaths = ['/p/*/checkout', '/v1/public/products/*/checkout', '/v1/public/products/*/quote'];

/** The header in which the CDN names its viewer; it comes with every request. */
export const viewerHeader = 'True-Client-IP';

const onlyAsTheReplySays = { minTtl: Duration.seconds(0), defaultTtl: Duration.seconds(0), maxTtl: Duration.days(365) };
const compressed = { enableAcceptEncodingGzip: true, enableAcceptEncodingBrotli: true };

/** By what the replies of pages differ, and those of files. */
export const createCachePolicies = (scope: Construct) => ({
  pages: new CachePolicy(scope, 'CachedPages', {
    ...onlyAsTheReplySays,
    ...compressed,
    headerBehavior: CacheHeaderBehavior.allowList('Accept-Language'),
    // All, lest a parameter that is left out of the key decide what others are shown.
    queryStringBehavior: CacheQueryStringBehavior.all(),
  }),
  files: new CachePolicy(scope, 'CachedFiles', { ...onlyAsTheReplySays, ...compressed }),
});

/** Nothing of the viewer reaches what is kept for others, but who asked. */
export const createCachedRequests = (scope: Construct) =>
  new OriginRequestPolicy(scope, 'CachedRequests', {
    headerBehavior: OriginRequestHeaderBehavior.allowList(viewerHeader),
    cookieBehavior: OriginRequestCookieBehavior.none(),
    queryStringBehavior: OriginRequestQueryStringBehavior.none(),
  });

/** Without these CloudFront would give an error of one caller to others for ten seconds, `no-store` or not. */
export const uncachedErrors: ErrorResponse[] = [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((httpStatus) => ({
  httpStatus,
  ttl: Duration.seconds(0),
}));
