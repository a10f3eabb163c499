import { additionRows } from './addition-rows.ts';
import { consoleRows } from './console-rows.ts';
import { eventRows } from './event-rows.ts';
import { deskRows } from './order-rows.ts';
import { partRows } from './part-rows.ts';
import { releaseRows } from './release-rows.ts';
import { reviewRows } from './review-rows.ts';
import { rows as firstRows, type Row } from './rows.ts';
import { sellerRows } from './seller-rows.ts';
import { updateRows } from './update-rows.ts';

/** What each endpoint is asked, and everything it answers to those who may ask, by its function and operation. */
export const rows: Record<string, Row> = {
  ...firstRows,
  ...additionRows,
  ...consoleRows,
  ...deskRows,
  ...eventRows,
  ...partRows,
  ...releaseRows,
  ...reviewRows,
  ...sellerRows,
  ...updateRows,
};
