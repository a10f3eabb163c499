/** The texts of the mail about one purchase, and of the mail with fresh links to all of them; one object per language. */
export interface PurchaseMailTexts {
  subject(productName: string, isFree: boolean): string;
  greeting(productName: string, isFree: boolean): string;
  whatToDo: string;
  openPurchase: string;
  linkLifetime(hours: number): string;
  keepPrivate: string;
  notForYou: string;
  /** What the mail of an addition says in the place of the above: it leads to a receipt, and to no key. */
  addition: {
    greeting(productName: string, added: string): string;
    whatToDo: string;
    openReceipt: string;
    keepPrivate: string;
    /** Where the license cannot be used now. */
    unusable: string;
  };
  facts: {
    product: string;
    price: string;
    /** Of several. */
    quantity: string;
    priceEach: string;
    total: string;
    discount: string;
    takenOff(amount: string): string;
    free: string;
    taxIncluded(price: string): string;
    order: string;
    paidOn: string;
    orderedOn: string;
    day(at: Date, timeZone: string): string;
    seller: string;
    site: string;
    support: string;
  };
  links: {
    subject(purchases: number, productName: string): string;
    greeting(purchases: number): string;
    /** Where some of them are additions. */
    greetingOfOrders(purchases: number): string;
    last(hours: number): string;
    keepPrivate: string;
    notForYou: string;
  };
}
