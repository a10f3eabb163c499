import type { Table } from '../../shared/db/table.ts';
import { createJobRepository } from '../../shared/jobs/job-repository.ts';
import { ReviewNotice, screenOf } from '../../shared/mail/reviews/review-notice.ts';
import { renderReviewNoticeMail } from '../../shared/mail/reviews/review-notice-mail.ts';
import type { Operator } from '../../shared/operator.ts';
import type { RunJob } from '../../shared/queue/create-worker.ts';
import { createSellerRepository } from '../../shared/sellers/seller-repository.ts';
import { languageOf } from '../../shared/text/text-language.ts';
import type { SendOrDrop } from './send-links.ts';

/** Tells a seller what a review came to, at the address that the seller has now. */
export function createSendReviewNotice(options: {
  table: Table;
  sendOrDrop: SendOrDrop;
  operator: Operator;
  consoleUrl: string | undefined;
  now: () => Date;
}): RunJob<'send-review-notice'> {
  const { table, sendOrDrop, operator, consoleUrl, now } = options;
  const sellers = createSellerRepository({ table });
  const jobs = createJobRepository({ table, now });

  return async (job) => {
    const { sellerId, noticeId } = job.task;
    const notice = ReviewNotice.parse(job.payload);
    const seller = await sellers.findSeller(sellerId);
    const outcome = seller?.contactEmail ? await tell(seller.contactEmail, seller.displayName) : 'no_recipient';
    await table.write(jobs.finishJob(job));
    return { outcome, mailKind: 'review_notice' };

    function tell(to: string, displayName: string) {
      const screen = consoleUrl && screenOf(notice, consoleUrl);
      const locale = languageOf(displayName) === 'ja' ? 'ja' : 'en';
      return sendOrDrop({ to, reference: noticeId, ...renderReviewNoticeMail({ operator, notice, screen, locale }) });
    }
  };
}
