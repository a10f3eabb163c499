import { describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { DataStack } from '../../infra/stacks/data-stack.ts';

const consoleOrigins = ['https://console.example.com', 'https://admin.example.com'];
const templateOf = (forCloud?: { consoleOrigins: string[]; guardDuty: boolean }) =>
  Template.fromStack(new DataStack(new App(), 'Data', { forCloud }));

describe('the storage of product files', () => {
  const template = templateOf({ consoleOrigins, guardDuty: true });

  test('is one private, versioned bucket that outlives its stack and keeps no access logs', () => {
    template.resourceCountIs('AWS::S3::Bucket', 1);
    template.hasResource('AWS::S3::Bucket', {
      DeletionPolicy: 'Retain',
      Properties: {
        VersioningConfiguration: { Status: 'Enabled' },
        BucketEncryption: Match.anyValue(),
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        LoggingConfiguration: Match.absent(),
      },
    });
  });

  test('lets pages of the console upload, with the headers that a signed URL needs', () => {
    template.hasResourceProperties('AWS::S3::Bucket', {
      CorsConfiguration: {
        CorsRules: [
          {
            AllowedMethods: ['PUT'],
            AllowedOrigins: consoleOrigins,
            AllowedHeaders: ['content-type', 'content-length', 'if-none-match', 'x-amz-checksum-sha256'],
            MaxAge: 600,
          },
        ],
      },
    });
    templateOf({ consoleOrigins: [], guardDuty: true }).hasResourceProperties('AWS::S3::Bucket', {
      CorsConfiguration: Match.absent(),
    });
  });

  test('expires deleted versions, and uploads in parts that were never completed', () => {
    template.hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: {
        Rules: [
          {
            Id: 'ExpireDeletedUploads',
            Status: 'Enabled',
            NoncurrentVersionExpiration: { NoncurrentDays: 30 },
            ExpiredObjectDeleteMarker: true,
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
          },
        ],
      },
    });
  });

  test('refuses plain http, overwritten files, malware, and tags of anyone but GuardDuty', () => {
    const [policy] = Object.values(template.findResources('AWS::S3::BucketPolicy'));
    const statements: { Effect: string; Principal: object; Action: string | string[]; Condition: object }[] =
      policy?.['Properties'].PolicyDocument.Statement;
    expect(statements.every(({ Effect }) => Effect === 'Deny')).toBe(true);
    expect(statements.map(({ Action, Condition }) => [[Action].flat().sort(), Condition])).toEqual([
      [['s3:*'], { Bool: { 'aws:SecureTransport': 'false' } }],
      [['s3:PutObject'], { Null: { 's3:if-none-match': 'true' } }],
      [
        ['s3:GetObject', 's3:GetObjectVersion'],
        { StringEquals: { 's3:ExistingObjectTag/GuardDutyMalwareScanStatus': 'THREATS_FOUND', 's3:authType': 'REST-QUERY-STRING' } },
      ],
      [
        ['s3:DeleteObjectTagging', 's3:DeleteObjectVersionTagging', 's3:PutObjectTagging', 's3:PutObjectVersionTagging'],
        { ArnNotEquals: { 'aws:PrincipalArn': { 'Fn::GetAtt': [expect.stringContaining('ScanRole'), 'Arn'] } } },
      ],
    ]);
  });

  test('has GuardDuty scan and tag uploads, and bring its reports to the scanner', () => {
    template.hasResourceProperties('AWS::GuardDuty::MalwareProtectionPlan', {
      Actions: { Tagging: { Status: 'ENABLED' } },
      ProtectedResource: { S3Bucket: Match.objectLike({ ObjectPrefixes: ['files/'] }) },
    });
    template.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: {
        source: ['aws.guardduty'],
        'detail-type': ['GuardDuty Malware Protection Object Scan Result'],
        resources: [{ 'Fn::GetAtt': [Match.stringLikeRegexp('ScanPlan'), 'Arn'] }],
      },
      Targets: [
        Match.objectLike({ Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^ScanQueue'), 'Arn'] }, DeadLetterConfig: Match.anyValue() }),
      ],
    });
    const [role] = Object.values(template.findResources('AWS::IAM::Role'));
    expect(role?.['Properties'].AssumeRolePolicyDocument.Statement).toMatchObject([
      { Principal: { Service: 'malware-protection-plan.guardduty.amazonaws.com' } },
    ]);
  });

  test('on one’s own machine scans nothing by itself, and demands the same of writes', () => {
    const local = templateOf();
    local.resourceCountIs('AWS::GuardDuty::MalwareProtectionPlan', 0);
    local.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Condition: { Null: { 's3:if-none-match': 'true' } } })]) },
    });
  });
});
