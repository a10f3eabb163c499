/** What is said of an order whose buyer has done all, and whose bank takes its time; the buyer's page knows it by these words. */
export const paymentTakesDays =
  'The payment is on its way and takes some days. This page can be closed: the link is mailed once the payment arrives.';
