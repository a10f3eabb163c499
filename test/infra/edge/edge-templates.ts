import { expect } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { operatorSettings, type Synthesized } from '../../support/synthesized.ts';

/** What an operator says of the edge, and nothing more. */
export const edge = {
  EDGE_DOMAIN: 'licenses.example.com',
  EDGE_CERTIFICATE_ARN: 'arn:aws:acm:us-east-1:111122223333:certificate/0b6e4b1c-1111-2222-3333-444455556666',
  EDGE_ORIGIN: 'https://abc123.execute-api.eu-west-1.amazonaws.com',
};
export const settings = { ...operatorSettings, ...edge };
export type Properties = Record<string, any>;

/** The only resource of its type. */
export function only(template: Template, type: string): Properties {
  const found = Object.values(template.findResources(type));
  expect([type, found.length]).toEqual([type, 1]);
  return found[0]!['Properties'];
}
export const edgeOf = ({ edgeTemplate }: Synthesized) => edgeTemplate!;
export const variablesOf = ({ templates }: Synthesized) =>
  Object.values(templates.api.findResources('AWS::Lambda::Function')).map(({ Properties }) => Properties.Environment.Variables);
