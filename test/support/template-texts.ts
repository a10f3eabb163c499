const pseudoParameters: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-west-1',
  'AWS::AccountId': '111122223333',
  'AWS::URLSuffix': 'amazonaws.com',
};

/** The text that a value of a template becomes, with the logical id in place of whatever a resource is given at deployment. */
export function textIn(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const [[name, argument] = ['', undefined]] = Object.entries<any>(value);
  if (name === 'Ref') return pseudoParameters[argument] ?? argument;
  if (name === 'Fn::GetAtt') return argument[0];
  if (name === 'Fn::ImportValue') return textIn(argument);
  if (name === 'Fn::Join') return argument[1].map(textIn).join(argument[0]);
  throw new Error(`No text for ${name}.`);
}

/** Whether IAM takes `arn` for one that `pattern` names: part by part, `*` for any characters and `?` for one. */
export function isArnLike(pattern: string, arn: string): boolean {
  const [patterns, parts] = [partsOf(pattern), partsOf(arn)];
  return patterns.every((part, index) => toExpression(part).test(parts[index] ?? ''));
}

const partsOf = (arn: string) => [...arn.split(':').slice(0, 5), arn.split(':').slice(5).join(':')];
const toExpression = (pattern: string) =>
  new RegExp(
    `^${pattern
      .replace(/[^\w*?]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );
