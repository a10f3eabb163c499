import { type MailFrame, type MailSeller, type RenderedMail, renderMail } from './mail-page.ts';
import { type MailedPurchase, openingOf, purchaseFacts, purchaseMailTexts, titleOf } from './purchase-mail.ts';

/** The mail that gives a buyer a fresh link to each of at least one purchase, in the order given; never a key. */
export function renderPurchaseLinksMail({
  purchases,
  linkHours,
  ...frame
}: MailFrame & { purchases: readonly MailedPurchase[]; linkHours: number }): RenderedMail {
  const say = purchaseMailTexts[frame.locale];
  const [first] = purchases;
  const greeting = purchases.some(isAddition) ? say.links.greetingOfOrders : say.links.greeting;
  return renderMail({
    ...frame,
    seller: onlySeller(purchases),
    subject: say.links.subject(purchases.length, first === undefined ? '' : titleOf(first, frame.locale)),
    blocks: [
      { text: greeting(purchases.length), as: 'greeting' },
      ...purchases.map((purchase) => ({
        title: titleOf(purchase, frame.locale),
        blocks: [
          { facts: purchaseFacts(purchase, frame.locale) },
          { button: openingOf(purchase, frame.locale), url: purchase.completionUrl },
        ],
      })),
      { text: say.links.last(linkHours) },
      { text: purchases.every(isAddition) ? say.addition.keepPrivate : say.links.keepPrivate },
      { text: say.links.notYou, as: 'note' },
    ],
  });
}

const isAddition = ({ addition }: MailedPurchase) => addition !== undefined;

/** The seller of all the purchases, if it is one. */
function onlySeller(purchases: readonly MailedPurchase[]): MailSeller | undefined {
  const [first, ...others] = purchases.map(({ seller }) => seller);
  return others.every(({ name, supportEmail }) => name === first?.name && supportEmail === first.supportEmail) ? first : undefined;
}
