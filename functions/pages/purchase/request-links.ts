import * as z from 'zod/mini';
import { email } from '../../../shared/addresses.ts';
import { resendLinks } from '../../../shared/buyer-access/resend-links.ts';
import type { Needs } from '../../../shared/context.ts';
import { endpoint, Reply } from '../../../shared/http/endpoint.ts';
import { acceptedLocale } from '../../../shared/locale.ts';
import { pageQuery, pageReply, pageSuccess, readerFor, seeOther } from '../page-endpoint.ts';
import { hrefFor, type ReaderOf } from '../reader.ts';
import { renderLinksRequested, renderManage } from '../views/manage-view.ts';

export const showManageRoute = endpoint({
  operationId: 'showManage',
  method: 'GET',
  path: '/manage',
  tag: 'Pages',
  summary: 'The fixed address under which buyers have links to their purchases mailed; apps may link to it',
  audience: 'anyone',
  query: z.object({ ...pageQuery, sent: z.optional(z.string()) }),
  success: pageSuccess,
  errors: [],
  async handle(input, c: { readerOf: ReaderOf }) {
    const reader = readerFor(input, c.readerOf);
    return pageReply(input.query.sent === undefined ? renderManage(reader) : renderLinksRequested(reader), 'shared');
  },
});

export const requestLinksRoute = endpoint({
  operationId: 'requestLinks',
  method: 'POST',
  path: '/manage',
  tag: 'Pages',
  summary: 'Has links to the purchases of an e-mail address mailed to it',
  description: 'A plain form, so that it needs no JavaScript. The reply is the same whether or not the address is known.',
  audience: 'anyone',
  rateLimit: 'complete',
  query: z.object(pageQuery),
  success: { status: 303, description: 'To the page that says what to do next.' },
  errors: [],
  async handle(input, c: Needs<'table' | 'now' | 'sendJob' | 'ENCRYPTION_KEYS'> & { readerOf: ReaderOf }, raw) {
    const reader = readerFor(input, c.readerOf);
    const entry = new URLSearchParams(raw.body.toString('utf8')).get('buyer_email') ?? '';
    const { data: address } = z.safeParse(email, entry);
    if (address === undefined) {
      const headers = { 'Content-Type': pageSuccess.contentType, 'Cache-Control': 'no-store' };
      return new Reply(renderManage(reader, entry), { status: 400, headers });
    }
    await resendLinks(c, address, reader.chosenLocale ?? acceptedLocale(input.headers['accept-language']));
    return seeOther(hrefFor(reader, '/manage?sent=yes'));
  },
});
