import type { Plant } from './mistake.ts';
import type { Service } from './service.ts';

export interface Rule {
  /** What a service breaks of it: a sentence for each place. */
  faults: (service: Service) => readonly string[];
  /** Mistakes that break it. */
  mistakes: Readonly<Record<string, Plant>>;
}

/** Rules by what holds for a service that breaks none of them. */
export type Rules = Readonly<Record<string, Rule>>;
