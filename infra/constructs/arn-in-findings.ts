import { type Stack, Token } from 'aws-cdk-lib';

/** An ARN as the best-practice checks write it in their findings: with placeholders for what is not known of the place. */
export function arnInFindings(stack: Stack, service: string, resource: string): string {
  const known = (value: string, name: string) => (Token.isUnresolved(value) ? `<AWS::${name}>` : value);
  const place = `${known(stack.region, 'Region')}:${known(stack.account, 'AccountId')}`;
  return `arn:${known(stack.partition, 'Partition')}:${service}:${place}:${resource}`;
}
