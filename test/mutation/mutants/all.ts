import type { Mutant } from '../mutant.ts';
import { domainRules } from './domain-rules.ts';
import { jobsAndAlarms } from './jobs-and-alarms.ts';
import { orderLists } from './order-lists.ts';
import { projection } from './projection.ts';

/** Every mutant, by what it is about. */
export const mutants: Record<string, readonly Mutant[]> = {
  'order-lists': orderLists,
  'jobs-and-alarms': jobsAndAlarms,
  projection,
  'domain-rules': domainRules,
};
