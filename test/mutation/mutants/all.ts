import type { Mutant } from '../mutant.ts';
import { authorization } from './authorization.ts';
import { codesAndMail } from './codes-and-mail.ts';
import { domainRules } from './domain-rules.ts';
import { edgeIdentity } from './edge-identity.ts';
import { edgeLimits } from './edge-limits.ts';
import { edgeLocal } from './edge-local.ts';
import { edgeReplies } from './edge-replies.ts';
import { files } from './files.ts';
import { jobsAndAlarms } from './jobs-and-alarms.ts';
import { orderLists } from './order-lists.ts';
import { payments } from './payments.ts';
import { productRules } from './product-rules.ts';
import { projection } from './projection.ts';
import { providerRequests } from './provider-requests.ts';
import { time } from './time.ts';
import { wiring } from './wiring.ts';

/** Every mutant, by what it is about. */
export const mutants: Record<string, readonly Mutant[]> = {
  authorization,
  'codes-and-mail': codesAndMail,
  'domain-rules': domainRules,
  'edge-identity': edgeIdentity,
  'edge-limits': edgeLimits,
  'edge-local': edgeLocal,
  'edge-replies': edgeReplies,
  files,
  'jobs-and-alarms': jobsAndAlarms,
  'order-lists': orderLists,
  payments,
  'product-rules': productRules,
  projection,
  'provider-requests': providerRequests,
  time,
  wiring,
};
