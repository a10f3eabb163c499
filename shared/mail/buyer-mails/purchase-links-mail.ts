import { type MailContext, type MailSeller, type RenderedMail, renderMail } from '../layout/mail-layout.ts';
import { buttonLabel, type MailedPurchase, purchaseFacts, purchaseTitle } from './purchase-mail.ts';
import { purchaseMailTexts } from './purchase-mail-texts.ts';

/** The mail that gives a buyer a fresh link to each of at least one purchase, in the order given; never a key. */
export function renderPurchaseLinksMail({
  purchases,
  linkHours,
  ...frame
}: MailContext & { purchases: readonly MailedPurchase[]; linkHours: number }): RenderedMail {
  const texts = purchaseMailTexts[frame.locale];
  const [first] = purchases;
  const greeting = purchases.some(isAddition) ? texts.links.greetingOfOrders : texts.links.greeting;
  return renderMail({
    ...frame,
    seller: onlySeller(purchases),
    subject: texts.links.subject(purchases.length, first === undefined ? '' : purchaseTitle(first, frame.locale)),
    blocks: [
      { text: greeting(purchases.length), as: 'greeting' },
      ...purchases.map((purchase) => ({
        title: purchaseTitle(purchase, frame.locale),
        blocks: [
          { facts: purchaseFacts(purchase, frame.locale) },
          { button: buttonLabel(purchase, frame.locale), url: purchase.completionUrl },
        ],
      })),
      { text: texts.cutLink },
      { text: texts.links.last(linkHours) },
      { text: purchases.every(isAddition) ? texts.addition.keepPrivate : texts.links.keepPrivate },
      { text: texts.links.notForYou, as: 'note' },
    ],
  });
}

const isAddition = ({ addition }: MailedPurchase) => addition !== undefined;

/** The seller of all the purchases, if it is one. */
function onlySeller(purchases: readonly MailedPurchase[]): MailSeller | undefined {
  const [first, ...others] = purchases.map(({ seller }) => seller);
  return others.every(({ name, supportEmail }) => name === first?.name && supportEmail === first.supportEmail) ? first : undefined;
}
