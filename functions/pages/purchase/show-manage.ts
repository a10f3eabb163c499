import * as z from 'zod/mini';
import { endpoint } from '../../../shared/http/endpoint.ts';
import { pageQuery, pageReply, pageSuccess, readerFor } from '../page-endpoint.ts';
import type { ReaderOf } from '../reader.ts';
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
