import { consoleUrlOf } from '../../shared/console-links.ts';
import type { Needs } from '../../shared/context.ts';
import type { Job } from '../../shared/jobs/job.ts';
import { finishJob } from '../../shared/jobs/job-lease-repository.ts';
import { consoleUrlOfReview, ReviewNotice } from '../../shared/mail/seller-mails/review-notice.ts';
import { renderReviewNoticeMail } from '../../shared/mail/seller-mails/review-notice-mail.ts';
import { type OperatorSetting, operatorOf } from '../../shared/operator.ts';
import { findSeller } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import { sendOrDrop } from './send-or-drop.ts';

/** Tells a seller what a review came to, at the address that the seller has now. */
export async function sendReviewNotice(
  c: Needs<'table' | 'logger' | 'CONSOLE_CLIENT_ID' | OperatorSetting | 'PUBLIC_BASE_URL' | 'send'>,
  job: Job<'send-review-notice'>,
) {
  const { sellerId, noticeId } = job.task;
  const notice = ReviewNotice.parse(job.payload);
  const seller = await findSeller(c.table, sellerId);
  const outcome = seller?.contactEmail ? await renderNotice(seller.contactEmail, seller.displayName) : 'no_recipient';
  await c.table.write(finishJob(job));
  return { outcome, mailKind: 'review_notice' };

  function renderNotice(to: string, displayName: string) {
    const consoleUrl = consoleUrlOf(c.settings);
    const screen = consoleUrl && consoleUrlOfReview(notice, consoleUrl);
    const locale = languageOf(displayName) === 'ja' ? 'ja' : 'en';
    return sendOrDrop(c, {
      to,
      reference: noticeId,
      ...renderReviewNoticeMail({ operator: operatorOf(c.settings), notice, screen, locale }),
    });
  }
}
