import { describe, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { DataStack } from '../../infra/stacks/data-stack.ts';

const pageOrigins = ['https://console.example.com', 'https://admin.example.com'];
const templateOf = (forCloud?: { pageOrigins: string[]; guardDuty: boolean }) =>
  Template.fromStack(new DataStack(new App(), 'Data', { forCloud }));

describe('the storage of product files', () => {
  const template = templateOf({ pageOrigins, guardDuty: true });

  test('lets pages of a console upload and read, with the headers that a signed URL needs', () => {
    template.hasResourceProperties('AWS::S3::Bucket', {
      CorsConfiguration: {
        CorsRules: [
          {
            AllowedMethods: ['PUT', 'GET'],
            AllowedOrigins: pageOrigins,
            AllowedHeaders: ['content-type', 'content-length', 'if-none-match', 'x-amz-checksum-sha256'],
            MaxAge: 600,
          },
        ],
      },
    });
    templateOf({ pageOrigins: [], guardDuty: true }).hasResourceProperties('AWS::S3::Bucket', { CorsConfiguration: Match.absent() });
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
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 },
          },
        ],
      },
    });
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
  });

  test('on one’s own machine scans nothing by itself, and demands the same of writes', () => {
    const local = templateOf();
    local.resourceCountIs('AWS::GuardDuty::MalwareProtectionPlan', 0);
    local.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Condition: { Null: { 's3:if-none-match': 'true' }, Bool: { 's3:ObjectCreationOperation': 'true' } } }),
        ]),
      },
    });
  });
});
