import type { Service } from './service.ts';

/** What a service breaks of a rule: a sentence for each place. */
export type Rule = (service: Service) => readonly string[] | Promise<readonly string[]>;
/** Rules by what holds for a service that breaks none of them. */
export type Rules = Readonly<Record<string, Rule>>;
