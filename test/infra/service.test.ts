import { randomInt } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { readSettings, type SettingName, secretSettings } from '../../shared/config.ts';
import { mailWorkers } from '../../shared/mail/sending/send-pace.ts';
import { constructAt, operatorSettings, ownSettings, synthesizeAt } from '../support/synthesized.ts';
import type { Json } from '../support/templates/identifiers.ts';
import { type Resource, readService } from '../support/templates/service.ts';
import { everySetting, stacksAt } from '../support/templates/stacks-at.ts';

jest.setTimeout(120_000);

const { ofType, only, at, functionAt, functions, outputs } = readService(await stacksAt('staging'));
const [table, bucket, stage] = [only('AWS::DynamoDB::GlobalTable'), only('AWS::S3::Bucket'), only('AWS::ApiGatewayV2::Stage')];
const rules = ofType('AWS::Events::Rule').map(({ properties }) => properties);

describe('the deployed service', () => {
  test('keeps one table, on demand, which forgets what expires', () => {
    expect(table.properties).toMatchObject({
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    });
  });

  test('limits the rate of every route alike, as much as license checks need', () => {
    expect(stage.properties.DefaultRouteSettings).toEqual({ ThrottlingBurstLimit: 4000, ThrottlingRateLimit: 2000 });
    expect(stage.dependsOn).toEqual(expect.arrayContaining(ofType('AWS::ApiGatewayV2::Route').map(({ id }) => id)));
  });

  test('logs routes and never paths, addresses or headers', () => {
    const { DestinationArn, Format } = stage.properties.AccessLogSettings;
    expect(Format).not.toMatch(/path|sourceIp|identity|authorizer|userAgent/i);
    expect(at(DestinationArn)?.name).toMatch(/^\/aws\/vendedlogs\/apis\/./);
  });

  test('sweeps every five minutes, and takes no job from a worker that runs', () => {
    const scheduled = rules.filter(({ ScheduleExpression }) => ScheduleExpression);
    expect(scheduled.map(({ ScheduleExpression, Targets }) => [ScheduleExpression, Targets[0].Input])).toEqual([['rate(5 minutes)', '{}']]);
  });

  test('tells the publisher of new events alone, by the keys of what is written to the table', () => {
    expect(table.properties.StreamSpecification).toEqual({ StreamViewType: 'KEYS_ONLY' });
    const mappings = ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties);
    const streams = mappings.filter(({ StartingPosition }) => StartingPosition !== undefined);
    expect(streams).toMatchObject([{ StartingPosition: 'TRIM_HORIZON', MaximumRetryAttempts: 2, BatchSize: 100 }]);
    const [{ EventSourceArn, FunctionName, FilterCriteria }] = streams;
    expect([EventSourceArn.split('/stream/')[0], functionAt(FunctionName)?.folder]).toEqual([table.arn, 'event-publisher']);
    expect(FilterCriteria.Filters.map(({ Pattern }: Json) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: 'JOB#publish-event:' }] } } } },
    ]);
  });

  test('lets pages of a console upload and read files, with the headers that a signed URL needs', async () => {
    expect(bucket.properties.CorsConfiguration.CorsRules).toEqual([
      {
        AllowedMethods: ['PUT', 'GET'],
        AllowedOrigins: ['https://licenses.example.com', 'https://console.example.com'],
        AllowedHeaders: ['content-type', 'content-length', 'if-none-match', 'x-amz-checksum-sha256'],
        MaxAge: 600,
      },
    ]);
    const { data } = (await synthesizeAt('staging', ownSettings)).templates;
    expect(JSON.stringify(data.toJSON()).match(/"AllowedOrigins":[^\]]*\]/g)).toEqual([
      '"AllowedOrigins":["https://licenses.example.com"]',
    ]);
  });

  test('expires deleted versions of files, and uploads in parts that were never completed', () => {
    expect(bucket.properties.LifecycleConfiguration.Rules).toEqual([
      {
        Id: 'ExpireDeletedUploads',
        Status: 'Enabled',
        NoncurrentVersionExpiration: { NoncurrentDays: 30 },
        ExpiredObjectDeleteMarker: true,
        AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
      },
    ]);
  });

  test('has GuardDuty scan and tag uploads, and bring its reports to the scanner', () => {
    const plan = only('AWS::GuardDuty::MalwareProtectionPlan');
    expect(plan.properties).toMatchObject({
      Actions: { Tagging: { Status: 'ENABLED' } },
      ProtectedResource: { S3Bucket: { BucketName: bucket.name, ObjectPrefixes: ['files/'] } },
    });
    const [report] = rules.filter(({ EventPattern }) => EventPattern?.source[0] === 'aws.guardduty');
    expect(report.EventPattern).toMatchObject({
      'detail-type': ['GuardDuty Malware Protection Object Scan Result'],
      resources: [plan.arn],
    });
    const [{ Arn, DeadLetterConfig }] = report.Targets;
    expect([at(Arn)?.id, at(DeadLetterConfig.Arn)?.id]).toEqual([
      expect.stringMatching(/^ScanQueue/),
      expect.stringMatching(/^ScanDeadLetters/),
    ]);
  });
});

describe('mails in the deployed service', () => {
  const set = only('AWS::SES::ConfigurationSet');
  const reports = rules.filter(({ EventPattern }) => EventPattern?.source[0] === 'aws.ses');
  const untagged = ({ properties: { Tags: _, ...properties } }: Resource) => properties;
  const queueCalled = (id: string) => ofType('AWS::SQS::Queue').find((queue) => queue.id.replace(/[0-9A-F]{8}$/, '') === id)?.arn;

  test('go out over TLS alone, are measured, and not to addresses that bounced or complained', () => {
    expect(untagged(set)).toEqual({
      DeliveryOptions: { TlsPolicy: 'REQUIRE' },
      ReputationOptions: { ReputationMetricsEnabled: true },
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
    });
  });

  test('have bounces, complaints, rejections and delays told to the default bus', () => {
    expect(only('AWS::SES::ConfigurationSetEventDestination').properties).toMatchObject({
      ConfigurationSetName: set.ref,
      EventDestination: {
        Enabled: true,
        MatchingEventTypes: ['bounce', 'complaint', 'reject', 'deliveryDelay'],
        EventBridgeDestination: { EventBusArn: expect.stringMatching(/:event-bus\/default$/) },
      },
    });
  });

  test('prove the domain of the sender, whose DNS records are outputs', () => {
    const identity = only('AWS::SES::EmailIdentity');
    expect(untagged(identity)).toEqual({ EmailIdentity: 'example.com' });
    const token = (part: string) => `${identity.name}.DkimDNSToken${part}`;
    for (const index of [1, 2, 3]) expect(outputs[`MailDkim${index}`]).toBe(`${token(`Name${index}`)} CNAME ${token(`Value${index}`)}`);
  });

  test('may be those of one verified address, or of an identity that is there already', async () => {
    const dataWith = async (settings: Record<string, string>) => (await synthesizeAt('staging', settings)).templates.data;
    const address = await dataWith({ ...operatorSettings, MAIL_IDENTITY: 'address' });
    address.hasResourceProperties('AWS::SES::EmailIdentity', { EmailIdentity: 'licenses@example.com' });
    expect(address.findOutputs('MailDkim*')).toEqual({});
    (await dataWith(ownSettings)).resourceCountIs('AWS::SES::EmailIdentity', 0);
  });

  test('are reported by rules for events of our mails alone, to the queue of mails', () => {
    const tags = { 'ses:configuration-set': [set.ref], order_id: [{ prefix: 'ord_' }], mail_id: ['issuance', { prefix: 'mai_' }] };
    const kinds = [['Email Bounced'], ['Email Complaint Received', 'Email Rejected', 'Email Delivery Delayed']];
    expect(reports.map(({ EventPattern }) => EventPattern)).toEqual(
      kinds.map((kind) => ({ source: ['aws.ses'], 'detail-type': kind, detail: { mail: { tags } } })),
    );
    for (const { Targets } of reports)
      expect(Targets).toMatchObject([{ Arn: queueCalled('MailQueue'), DeadLetterConfig: { Arn: queueCalled('MailDeadLetters') } }]);
  });

  test('leave of a report nothing but tags, kind and time', () => {
    const common = ['$.detail-type', '$.time', '$.detail.mail.tags.order_id', '$.detail.mail.tags.mail_id'];
    const paths = reports.map(({ Targets }) => Object.values<string>(Targets[0].InputTransformer.InputPathsMap).sort());
    expect(paths).toEqual([[...common, '$.detail.bounce.bounceType', '$.detail.bounce.bounceSubType'].sort(), [...common].sort()]);
    for (const { Targets } of reports) {
      const { InputPathsMap, InputTemplate } = Targets[0].InputTransformer;
      for (const name of Object.keys(InputPathsMap)) expect(name).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(InputTemplate.replace(/"\w+":<[\w-]+>,?/g, '')).toBe('{}');
    }
  });

  test('are sent by as many workers at once as share the rate', () => {
    const mappings = ofType('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties);
    const [mail] = mappings.filter(({ EventSourceArn }: Json) => EventSourceArn === queueCalled('MailQueue'));
    expect(mail.ScalingConfig).toEqual({ MaximumConcurrency: mailWorkers });
  });
});

/** Those that cannot stay as they were made. */
const mustBeSet: SettingName[] = [
  'ENCRYPTION_KEYS',
  'LEASE_KEYS',
  'LICENSE_PEPPERS',
  'PAYMENT_CONNECT_WEBHOOK_SECRET',
  'PAYMENT_SECRET_KEY',
  'PAYMENT_WEBHOOK_SECRET',
  'TOKEN_KEYS',
];
const settingOf = (arn: string): string => at(arn)?.properties.Name.split('/').at(-1);

/** What Secrets Manager draws from where a template asks for nothing else. */
const drawn = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));

/** A first value as a template has it generated. */
function generate({ PasswordLength = 32, ExcludeCharacters = '', ExcludePunctuation = false }: Record<string, any>): string {
  const characters = drawn.filter((one) => !ExcludeCharacters.includes(one) && !(ExcludePunctuation && /[^A-Za-z0-9]/.test(one)));
  return Array.from({ length: PasswordLength }, () => characters[randomInt(characters.length)]).join('');
}

describe('secrets of the deployed service', () => {
  test('readiness is asked of each secret that cannot stay as it was made, and its values stay unread', () => {
    const health = functions.find(({ folder }) => folder === 'health');
    const allowed = (action: string) =>
      health?.statements.flatMap(({ Action, Resource }) => (Action.includes(action) ? Resource.map(settingOf) : [])).sort();
    expect(health?.environment['SECRETS_TO_SET']?.split(',').map(settingOf).sort()).toEqual(mustBeSet);
    expect(allowed('secretsmanager:DescribeSecret')).toEqual(mustBeSet);
    expect(allowed('secretsmanager:GetSecretValue')).toEqual(['CALLER_HASH_KEY', 'ORIGIN_SECRET']);
  });

  test.each(mustBeSet)('the first value of a secret, which nobody has set yet, is never taken for %s', (setting) => {
    const [made] = ofType('AWS::SecretsManager::Secret').filter(({ arn }) => settingOf(arn) === setting);
    for (let round = 0; round < 500; round += 1) {
      expect(() => readSettings([setting], { [setting]: generate(made?.properties.GenerateSecretString) })).toThrow(
        new RegExp(`^Configuration refused: .*${setting}`),
      );
    }
  });

  test('each function with secrets is told how long to keep them, and no other', () => {
    const told = functions.map(({ environment: { SECRETS_SECONDS, ...others } }) => [
      SECRETS_SECONDS,
      Object.keys(others).some((name) => secretSettings.has(name)),
    ]);
    expect(new Set(told.map((each) => each.join()))).toEqual(new Set(['60,true', ',false']));
  });
});

const [pool, client] = [only('AWS::Cognito::UserPool'), only('AWS::Cognito::UserPoolClient')];

/** The values that functions have of a setting. */
const valuesOf = (setting: string) => functions.flatMap(({ environment }) => environment[setting] ?? []);

describe('a user pool', () => {
  test('outlives the stack, and takes a new address once it is verified', () => {
    expect(pool).toMatchObject({ deletionPolicy: 'Retain', updateReplacePolicy: 'Retain' });
    expect(pool.properties).toMatchObject({
      DeletionProtection: 'ACTIVE',
      UserPoolTier: 'ESSENTIALS',
      UsernameAttributes: ['email'],
      AutoVerifiedAttributes: ['email'],
      UserAttributeUpdateSettings: { AttributesRequireVerificationBeforeUpdate: ['email'] },
    });
    const [domain, branding] = [only('AWS::Cognito::UserPoolDomain'), only('AWS::Cognito::ManagedLoginBranding')];
    // What a first deployment made before it failed would take its name.
    for (const part of [client, domain, branding])
      expect(part).toMatchObject({ deletionPolicy: 'RetainExceptOnCreate', updateReplacePolicy: 'Retain' });
    expect(domain.properties.ManagedLoginVersion).toBe(2);
  });

  test.each([
    [undefined, 'ON', ['SOFTWARE_TOKEN_MFA']],
    ['required', 'ON', ['SOFTWARE_TOKEN_MFA']],
    ['optional', 'OPTIONAL', ['SOFTWARE_TOKEN_MFA']],
    ['off', 'OFF', undefined],
  ])('has users sign in with a code of an app, or not: CONSOLE_MFA %s', async (CONSOLE_MFA, MfaConfiguration, EnabledMfas) => {
    const { app, stacks } = await constructAt('staging', { ...everySetting, CONSOLE_MFA });
    const [made] = Object.values(Template.fromStack(stacks.identity ?? stacks.data).findResources('AWS::Cognito::UserPool'));
    expect(made?.['Properties']).toMatchObject({ MfaConfiguration });
    expect([made?.['Properties'].EnabledMfas, made?.['Properties'].SmsConfiguration]).toEqual([EnabledMfas, undefined]);
    expect(new AwsSolutionsChecks(app).validateScope(app).violations).toEqual([]);
  });

  test('mails codes and invitations in Japanese and English, with what Cognito fills in', () => {
    const { VerificationMessageTemplate: code, AdminCreateUserConfig } = pool.properties;
    const invitation = AdminCreateUserConfig.InviteMessageTemplate;
    for (const text of [code.EmailSubject, code.EmailMessage, invitation.EmailSubject, invitation.EmailMessage]) {
      expect(text).toMatch(/\p{Script=Hiragana}.*\b(your|you)\b/isu);
    }
    expect([code.EmailMessage.match(/\{.*?\}/g), invitation.EmailMessage.match(/\{.*?\}/g)]).toEqual([
      ['{####}'],
      ['{username}', '{####}'],
    ]);
    expect(invitation.EmailMessage).toContain('https://licenses.example.com/console');
  });

  test('has the console as a public client, which proves itself by a code and new refresh tokens alone', () => {
    expect(client.properties).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      CallbackURLs: ['https://licenses.example.com/console/callback', 'https://licenses.example.com/console/admin/callback'],
      LogoutURLs: ['https://licenses.example.com/console', 'https://licenses.example.com/console/admin'],
      // With rotation Cognito refuses the flow that gives the same one again.
      ExplicitAuthFlows: ['ALLOW_USER_AUTH'],
      RefreshTokenRotation: { Feature: 'ENABLED' },
      EnableTokenRevocation: true,
      PreventUserExistenceErrors: 'ENABLED',
      ReadAttributes: ['email', 'email_verified'],
      WriteAttributes: ['email'],
    });
  });

  test('is whom every function trusts that verifies tokens, and whose client the console is', () => {
    expect(valuesOf('OIDC_ISSUER').length).toBeGreaterThan(8);
    expect(valuesOf('CONSOLE_CLIENT_ID').length).toBeGreaterThan(2);
    expect(new Set(valuesOf('OIDC_ISSUER'))).toEqual(new Set([`${pool.name}.ProviderURL`]));
    for (const setting of ['OIDC_AUDIENCE', 'CONSOLE_CLIENT_ID']) expect(new Set(valuesOf(setting))).toEqual(new Set([client.ref]));
  });

  test('has its tokens of identity sent, where the operator chooses no other', async () => {
    const { identity } = (await constructAt('production', { ...everySetting, CONSOLE_TOKEN: '' })).stacks;
    expect([identity?.settings['CONSOLE_TOKEN'], ...valuesOf('CONSOLE_TOKEN')]).toEqual(['id', 'access']);
  });
});

test('a provider of the operator’s own is told by the outputs what to enter, and no user pool is made', async () => {
  const { templates, identityTemplate } = await synthesizeAt('staging', ownSettings);
  expect(identityTemplate).toBeUndefined();
  expect(templates.api.toJSON()['Outputs']).toMatchObject({
    ConsoleCallbacks: { Value: 'https://licenses.example.com/console/callback https://licenses.example.com/console/admin/callback' },
    ConsoleLogouts: { Value: 'https://licenses.example.com/console https://licenses.example.com/console/admin' },
    ConsoleScopes: { Value: 'openid email' },
  });
  const named = JSON.stringify(templates.api.toJSON()).match(/"CONSOLE_CLIENT_ID":"[^"]*"/g);
  expect(new Set(named)).toEqual(new Set(['"CONSOLE_CLIENT_ID":"console"']));
});

test('at stage local every setting of the operator is left to the local stack, which scans uploads itself', async () => {
  const { templates } = await synthesizeAt('local');
  const lambdas = [templates.api, templates.workers].flatMap((template) => Object.values(template.findResources('AWS::Lambda::Function')));
  const values = lambdas.flatMap((lambda) => Object.values(lambda['Properties'].Environment?.Variables ?? {}));
  expect(values.filter((value) => typeof value === 'string' && value !== '')).toEqual([]);
  templates.data.resourceCountIs('AWS::SecretsManager::Secret', secretSettings.size);
  templates.data.resourceCountIs('AWS::GuardDuty::MalwareProtectionPlan', 0);
});
