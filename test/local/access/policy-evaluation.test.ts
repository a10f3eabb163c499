import { describe, expect, test } from '@jest/globals';
import { unknownInConditions } from '../../../infra/local/access/condition-keys.ts';
import { type AccessRequest, evaluate, isOperator, PolicyError, readPolicy } from '../../../infra/local/access/policy-evaluation.ts';

const account = '111122223333';
const user = `arn:aws:iam::${account}:user/alice`;
const object = 'arn:aws:s3:::examplebucket/home/alice/notes.txt';

const statement = (Effect: string, change: object = {}) => ({
  Effect,
  Action: 's3:GetObject',
  Resource: 'arn:aws:s3:::examplebucket/*',
  ...change,
});
const document = (...Statement: object[]) => ({ Version: '2012-10-17', Statement });
const identity = (...statements: object[]) => readPolicy(document(...statements), 'identity');
const ofResource = (...statements: object[]) => readPolicy(document(...statements.map((one) => ({ Principal: '*', ...one }))), 'resource');
const request = (change: Partial<AccessRequest> = {}): AccessRequest => ({
  principal: user,
  action: 's3:GetObject',
  resource: object,
  context: {},
  ...change,
});

describe('the order of decisions (IAM User Guide, "Policy evaluation logic")', () => {
  const [allow, deny] = [statement('Allow'), statement('Deny')];

  test.each([
    ['nothing says anything', [], 'ImplicitlyDenied'],
    ['the identity is allowed', [identity(allow)], 'Allowed'],
    ['the resource alone allows it', [identity(), ofResource(allow)], 'Allowed'],
    ['the identity is denied what the resource allows', [identity(deny), ofResource(allow)], 'ExplicitlyDenied'],
    ['the resource denies what the identity is allowed', [identity(allow), ofResource(deny)], 'ExplicitlyDenied'],
    ['one statement denies what another allows, before or after it', [identity(allow, deny, allow)], 'ExplicitlyDenied'],
    ['one of several policies denies', [identity(allow), identity(deny)], 'ExplicitlyDenied'],
    ['statements are about something else', [identity(statement('Allow', { Action: 's3:PutObject' }))], 'ImplicitlyDenied'],
  ])('where %s', (_, policies, decision) => {
    expect(evaluate(request(), ...policies)).toBe(decision);
  });
});

const isAllowed = (change: object, asked: Partial<AccessRequest> = {}) =>
  evaluate(request(asked), identity(statement('Allow', change))) === 'Allowed';

describe('the elements of a statement', () => {
  test.each([
    ['s3:GetObject', true],
    ['S3:getobject', true],
    ['s3:*', true],
    ['*', true],
    ['s3:Get*', true],
    ['s3:GetObjec?', true],
    ['s3:GetObject?', false],
    ['s3:GetObjectVersion', false],
    ['dynamodb:GetObject', false],
    [['s3:PutObject', 's3:GetObject'], true],
  ])('Action %j covers s3:GetObject: %j', (Action, covered) => {
    expect(isAllowed({ Action })).toBe(covered);
  });

  test.each([
    ['*', object, true],
    ['arn:aws:s3:::examplebucket/*', object, true],
    ['arn:aws:s3:::examplebucket/home/*/notes.txt', object, true],
    ['arn:aws:s3:::examplebucket/home/alice/notes.tx?', object, true],
    ['arn:aws:s3:::EXAMPLEBUCKET/*', object, false],
    ['arn:aws:s3:::examplebucket', object, false],
    ['arn:aws:s3:::examplebucket/home/alice/notes.tx', object, false],
    // What separates the parts of an ARN is no part of them.
    ['arn:aws:logs:*:log-group:*', 'arn:aws:logs:eu-west-1:111122223333:log-group:a:log-stream:b', false],
    ['arn:aws:sqs:*:111122223333:jobs', 'arn:aws:sqs:eu-west-1:111122223333:jobs', true],
    ['arn:aws:logs:eu-west-1:111122223333:log-group:a:*', 'arn:aws:logs:eu-west-1:111122223333:log-group:a:log-stream:b', true],
    [['arn:aws:s3:::other/*', 'arn:aws:s3:::examplebucket/*'], object, true],
  ])('Resource %j covers %s: %j', (Resource, resource, covered) => {
    expect(isAllowed({ Resource }, { resource })).toBe(covered);
  });

  test.each([
    ['*', user, true],
    [{ AWS: '*' }, user, true],
    [{ Service: 'sns.amazonaws.com' }, 'sns.amazonaws.com', true],
    [{ Service: ['sqs.amazonaws.com', 'sns.amazonaws.com'] }, 'sns.amazonaws.com', true],
    [{ Service: 'sns.amazonaws.com' }, 'events.amazonaws.com', false],
    [{ Service: 'sns.amazonaws.com' }, user, false],
  ])('Principal %j covers %s: %j', (Principal, principal, covered) => {
    expect(evaluate(request({ principal }), ofResource(statement('Allow', { Principal }))) === 'Allowed').toBe(covered);
  });

  test('a role is for whom its trust names, whatever the resource', () => {
    const trust = readPolicy(
      document({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'lambda.amazonaws.com' } }),
      'trust',
    );
    const assume = (principal: string) =>
      evaluate(request({ principal, action: 'sts:AssumeRole', resource: 'arn:aws:iam::1:role/r' }), trust);
    expect([assume('lambda.amazonaws.com'), assume('ec2.amazonaws.com')]).toEqual(['Allowed', 'ImplicitlyDenied']);
  });
});

describe('the operators of conditions', () => {
  const bucketArn = 'arn:aws:s3:::examplebucket';
  const alarmArn = `arn:aws:cloudwatch:eu-west-1:${account}:alarm:a:b`;

  test.each<[string, Record<string, string | string[]>, Record<string, string | string[]>, boolean]>([
    ['StringEquals', { 's3:authType': 'REST-HEADER' }, { 's3:authType': 'REST-HEADER' }, true],
    ['StringEquals', { 's3:authType': ['POST', 'REST-HEADER'] }, { 's3:authType': 'REST-HEADER' }, true],
    ['StringEquals', { 's3:authType': 'rest-header' }, { 's3:authType': 'REST-HEADER' }, false],
    ['StringEquals', { 's3:authType': 'REST-*' }, { 's3:authType': 'REST-HEADER' }, false],
    ['StringEquals', { 's3:authType': 'REST-HEADER' }, {}, false],
    ['StringEquals', { 'S3:AuthType': 'REST-HEADER' }, { 's3:authType': 'REST-HEADER' }, true],
    // Every key of an operator must be met.
    ['StringEquals', { 's3:authType': 'a', 's3:VersionId': 'b' }, { 's3:authType': 'a', 's3:VersionId': 'b' }, true],
    ['StringEquals', { 's3:authType': 'a', 's3:VersionId': 'b' }, { 's3:authType': 'a', 's3:VersionId': 'c' }, false],
    ['StringLike', { 's3:prefix': ['', 'home/', 'home/alice/*'] }, { 's3:prefix': 'home/alice/notes' }, true],
    ['StringLike', { 's3:prefix': ['', 'home/', 'home/alice/*'] }, { 's3:prefix': 'home/bob/' }, false],
    ['StringLike', { 's3:prefix': 'home/?' }, { 's3:prefix': 'home/ab' }, false],
    ['StringLike', { 's3:prefix': 'a.c[1]' }, { 's3:prefix': 'abc1' }, false],
    ['StringLike', { 's3:prefix': 'a*c' }, { 's3:prefix': 'a\n:c' }, true],
    ['StringLike', { 's3:prefix': '*' }, {}, false],
    ['Bool', { 'aws:SecureTransport': 'false' }, { 'aws:SecureTransport': 'false' }, true],
    ['Bool', { 'aws:SecureTransport': 'False' }, { 'aws:SecureTransport': 'true' }, false],
    ['Bool', { 'aws:SecureTransport': 'False' }, { 'aws:SecureTransport': 'false' }, true],
    ['Bool', { 'aws:SecureTransport': 'false' }, {}, false],
    ['ArnLike', { 'aws:SourceArn': `arn:aws:cloudwatch:*:${account}:alarm:*` }, { 'aws:SourceArn': alarmArn }, true],
    ['ArnLike', { 'aws:SourceArn': 'arn:aws:cloudwatch:*:alarm:*' }, { 'aws:SourceArn': alarmArn }, false],
    ['ArnLike', { 'aws:SourceArn': 'arn:aws:cloudwatch:*' }, { 'aws:SourceArn': alarmArn }, false],
    ['ArnEquals', { 'aws:SourceArn': 'arn:aws:s3:*:*:examplebucket' }, { 'aws:SourceArn': bucketArn }, true],
    ['ArnEquals', { 'aws:SourceArn': bucketArn }, {}, false],
    ['ArnNotEquals', { 'aws:PrincipalArn': [user, bucketArn] }, { 'aws:PrincipalArn': user }, false],
    ['ArnNotEquals', { 'aws:PrincipalArn': bucketArn }, { 'aws:PrincipalArn': user }, true],
    // A negated operator is met by a key that is missing.
    ['ArnNotEquals', { 'aws:PrincipalArn': bucketArn }, {}, true],
    ['Null', { 's3:if-none-match': 'true' }, {}, true],
    ['Null', { 's3:if-none-match': 'true' }, { 's3:if-none-match': '*' }, false],
    ['Null', { 's3:if-none-match': 'false' }, { 's3:if-none-match': '*' }, true],
    ['Null', { 'dynamodb:LeadingKeys': 'false' }, { 'dynamodb:LeadingKeys': [] }, false],
    ['ForAllValues:StringLike', { 'dynamodb:LeadingKeys': ['A#*', 'B#*'] }, { 'dynamodb:LeadingKeys': ['A#1', 'B#2'] }, true],
    ['ForAllValues:StringLike', { 'dynamodb:LeadingKeys': ['A#*', 'B#*'] }, { 'dynamodb:LeadingKeys': ['A#1', 'C#2'] }, false],
    ['ForAllValues:StringLike', { 'dynamodb:LeadingKeys': 'A#*' }, {}, true],
    ['ForAllValues:StringLike', { 'dynamodb:LeadingKeys': 'A#*' }, { 'dynamodb:LeadingKeys': [] }, true],
    ['ForAnyValue:StringLike', { 'dynamodb:LeadingKeys': 'A#*' }, { 'dynamodb:LeadingKeys': ['B#1', 'A#1'] }, true],
    ['ForAnyValue:StringLike', { 'dynamodb:LeadingKeys': 'A#*' }, { 'dynamodb:LeadingKeys': ['B#1', 'C#1'] }, false],
    ['ForAnyValue:StringLike', { 'dynamodb:LeadingKeys': 'A#*' }, {}, false],
    ['ForAllValues:ArnNotEquals', { 'aws:SourceArn': bucketArn }, { 'aws:SourceArn': [alarmArn, bucketArn] }, false],
  ])('%s %j is met by %j: %j', (operator, wanted, context, isMet) => {
    expect(isAllowed({ Condition: { [operator]: wanted } }, { context })).toBe(isMet);
  });

  test('every operator of a condition must be met', () => {
    const Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': 'A#*' }, Null: { 'dynamodb:LeadingKeys': 'false' } };
    expect(isAllowed({ Condition }, { context: { 'dynamodb:LeadingKeys': ['A#1'] } })).toBe(true);
    expect(isAllowed({ Condition })).toBe(false);
  });

  test('a denial whose condition is not met denies nothing', () => {
    const deny = statement('Deny', { Condition: { Bool: { 'aws:SecureTransport': 'false' } } });
    const decide = (secure: string) =>
      evaluate(request({ context: { 'aws:SecureTransport': secure } }), identity(statement('Allow')), ofResource(deny));
    expect([decide('true'), decide('false')]).toEqual(['Allowed', 'ExplicitlyDenied']);
  });
});

describe('what is not evaluated is refused by its name', () => {
  test.each([
    ['NotAction', { Action: undefined, NotAction: 's3:GetObject' }],
    ['NotResource', { NotResource: '*' }],
    ['Principal', { Principal: '*' }],
    ['Effect', { Effect: 'Permit' }],
    ['Action', { Action: 'GetObject' }],
    ['Action', { Action: [] }],
    ['Resource', { Resource: 'examplebucket' }],
    // IAM would fill in what is missing of an ARN.
    ['Resource', { Resource: 'arn:aws:s3' }],
    ['Resource', { Resource: undefined }],
    ['NumericLessThan', { Condition: { NumericLessThan: { 's3:max-keys': '10' } } }],
    ['StringEqualsIfExists', { Condition: { StringEqualsIfExists: { 's3:authType': 'POST' } } }],
    ['ForSomeValues:StringLike', { Condition: { 'ForSomeValues:StringLike': { 's3:prefix': 'a' } } }],
  ])('%s in the policy of a role: %j', (name, change) => {
    const read = () => identity(statement('Allow', change));
    expect(read).toThrow(PolicyError);
    expect(read).toThrow(name);
  });

  test.each([
    ['NotPrincipal', { Principal: undefined, NotPrincipal: '*' }],
    ['Principal', { Principal: undefined }],
    ['Principal', { Principal: { AWS: user } }],
    ['Principal', { Principal: { Federated: 'accounts.google.com' } }],
  ])('%s in the policy of a resource: %j', (name, change) => {
    expect(() => ofResource(statement('Allow', change))).toThrow(name);
  });

  test('an older version of the language', () => {
    expect(() => readPolicy({ ...document(statement('Allow')), Version: '2008-10-17' }, 'identity')).toThrow('Version');
  });

  test.each([
    [{ StringEquals: { 'aws:SourceVpc': 'vpc-1' } }, ['aws:SourceVpc']],
    [{ StringMatches: { 'aws:SourceArn': 'a' } }, ['StringMatches']],
    [{ BoolIfExists: { 'aws:SecureTransport': 'true' } }, ['BoolIfExists']],
    [{ StringLike: { 'dynamodb:LeadingKeys': 'A#*' } }, ['dynamodb:LeadingKeys']],
    [{ StringLike: { 's3:prefix': 'home/$' + '{aws:username}/*' } }, ['aws:username']],
    [{ 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': 'A#*' }, Null: { 'dynamodb:LeadingKeys': 'false' } }, []],
  ])('a condition %j: %j', (Condition, unknown) => {
    expect(unknownInConditions({ Statement: [{ Condition }] })).toEqual(unknown);
  });

  test.each(['toString', 'ForAllValues:', 'Null:StringLike', 'ForAllValues:Null'])('%s is no operator', (name) => {
    expect(isOperator(name)).toBe(false);
  });
});
