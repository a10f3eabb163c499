import type { Rules } from '../rule.ts';

/** What CloudFormation itself would refuse; cycles and sizes end the synthesis. */
export const referenceRules: Rules = {
  'every reference leads to a resource, an attribute or an export that exists': ({ dangling }) => dangling,
};
