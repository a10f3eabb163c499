import { pageHeaders } from '../../shared/http/page-headers.ts';
import { serve } from '../../shared/http/serve.ts';
import { contextOf, type Start } from '../../shared/start.ts';
import type * as declaration from './declaration.ts';
import { routes } from './routes.ts';

/** Whatever is at the address is no page; the shops of sellers may show it. */
const pictureHeaders = {
  ...pageHeaders,
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The pictures of products, for browsers. */
export const compose = (start: Start<typeof declaration>) =>
  serve(routes, contextOf(start), { transformReply: (_event, reply) => ({ ...reply, headers: { ...pictureHeaders, ...reply.headers } }) });
