import { AppError } from '../../shared/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { pageHeaders } from '../../shared/http/page-headers.ts';
import { fileReply, type Site } from './site.ts';

/** Everything comes from here; the viewer's style sheet holds its icons as data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const getDocs = endpoint({
  operationId: 'getDocs',
  method: 'GET',
  path: '/docs',
  tag: 'Documentation',
  summary: 'Shows the guide for app authors and this description to people',
  description: 'Everything on the page comes from this service.',
  audience: 'anyone',
  success: { status: 200, contentType: 'text/html', description: 'A page.' },
  cacheSeconds: 300,
  errors: [],
  handle({ headers }, { site }: { site: Site }) {
    const file = site.get('index.html');
    if (!file) throw new AppError('internal_error');
    return fileReply(file, headers['accept-encoding'], { ...pageHeaders, 'Content-Security-Policy': contentSecurityPolicy });
  },
});
