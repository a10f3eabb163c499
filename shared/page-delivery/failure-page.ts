import type { APIGatewayProxyEventV2 as HttpEvent, APIGatewayProxyStructuredResultV2 as HttpResult } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Html } from '../html.ts';

/** As `createHandler` sends it for every failure. */
const ErrorBody = z.object({ code: z.string(), request_id: z.string() });

/** Whether the caller is shown pages: a browser that goes to an address, and no program. */
export const acceptsHtml = ({ headers }: Pick<HttpEvent, 'headers'>): boolean => (headers['accept'] ?? '').includes('text/html');

/** Puts a page in the place of an Error body, which no cache may keep; what is no failure, or a page already, stays as it is. */
export function withFailurePage(reply: HttpResult, render: (error: { code: string; requestId: string }) => Html): HttpResult {
  const { statusCode = 200, body = '' } = reply;
  const isPage = String(reply.headers?.['Content-Type']).startsWith('text/html');
  if (statusCode < 400 || isPage) return reply;
  const { code, request_id: requestId } = z.parse(ErrorBody, JSON.parse(body));
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' },
    body: render({ code, requestId }).toString(),
  };
}
