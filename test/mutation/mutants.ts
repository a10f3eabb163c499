import type { Mutant } from './mutant.ts';
import { authorization } from './mutants/authorization.ts';
import { documents } from './mutants/clients/documents.ts';
import { javaAndRustClients } from './mutants/clients/java-and-rust-clients.ts';
import { leaseVerification } from './mutants/clients/lease-verification.ts';
import { licenseClient } from './mutants/clients/license-client.ts';
import { receivers } from './mutants/clients/receivers.ts';
import { codesAndMail } from './mutants/codes-and-mail.ts';
import { domainRules } from './mutants/domain-rules.ts';
import { edge } from './mutants/edge.ts';
import { eventSending } from './mutants/events/event-sending.ts';
import { sellerEvents } from './mutants/events/seller-events.ts';
import { files } from './mutants/files.ts';
import { identity } from './mutants/identity.ts';
import { jobsAndAlarms } from './mutants/jobs-and-alarms.ts';
import { leaseRules } from './mutants/leases/service.ts';
import { buyerLicenses } from './mutants/licenses/buyer-licenses.ts';
import { signedRequests } from './mutants/licenses/signed-requests.ts';
import { limits } from './mutants/limits.ts';
import { developer } from './mutants/local/developer.ts';
import { local } from './mutants/local/stack.ts';
import { mailIdentity } from './mutants/mail/mail-identity.ts';
import { orderLists } from './mutants/order-lists.ts';
import { activationPage } from './mutants/pages/activation-page.ts';
import { buyerPages } from './mutants/pages/buyer-pages.ts';
import { pictures } from './mutants/pages/pictures.ts';
import { payments } from './mutants/payments.ts';
import { productRules } from './mutants/product-rules.ts';
import { projection } from './mutants/projection.ts';
import { providerRequests } from './mutants/provider-requests.ts';
import { replies } from './mutants/replies.ts';
import { addresses } from './mutants/sales/addresses.ts';
import { productsPending } from './mutants/sales/products-pending.ts';
import { sellerDesk } from './mutants/sales/seller-desk.ts';
import { time } from './mutants/time.ts';
import { wiring } from './mutants/wiring.ts';

/** Every mutant, by what it is about. */
export const mutants: Record<string, readonly Mutant[]> = {
  'activation-page': activationPage,
  addresses,
  authorization,
  'buyer-licenses': buyerLicenses,
  'buyer-pages': buyerPages,
  'codes-and-mail': codesAndMail,
  developer,
  documents,
  'domain-rules': domainRules,
  edge,
  'event-sending': eventSending,
  files,
  identity,
  'java-and-rust-clients': javaAndRustClients,
  'jobs-and-alarms': jobsAndAlarms,
  'lease-verification': leaseVerification,
  'license-client': licenseClient,
  leases: leaseRules,
  limits,
  local,
  'mail-identity': mailIdentity,
  'order-lists': orderLists,
  payments,
  pictures,
  'product-rules': productRules,
  'products-pending': productsPending,
  projection,
  'provider-requests': providerRequests,
  receivers,
  replies,
  'seller-desk': sellerDesk,
  'seller-events': sellerEvents,
  'signed-requests': signedRequests,
  time,
  wiring,
};
