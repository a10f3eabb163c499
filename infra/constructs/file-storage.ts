import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { BlockPublicAccess, Bucket, BucketEncryption, CfnBucket, HttpMethods } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { JobQueue } from './job-queue.ts';
import { MalwareProtection, scanTag } from './malware-protection.ts';

/** Product files are kept under this prefix. */
const prefix = 'files/';

/** What the URL of an upload signs; a page that uploads needs to send these and no others. */
const uploadHeaders = ['content-type', 'content-length', 'if-none-match', 'x-amz-checksum-sha256'];

/** Longer than any upload in parts may take; a job ends those that nobody needs long before. */
const keepParts = Duration.days(7);

/** How long the operator can still restore the bytes of a deleted upload. */
const keepDeletedUploads = Duration.days(30);

export interface FileStorageProps {
  /** Pages of these origins may upload and read with a signed URL. */
  pageOrigins: readonly string[];
  /** Takes GuardDuty's reports; without it nothing is scanned at upload. */
  scanResults?: JobQueue | undefined;
}

/**
 * The private bucket of product files. It keeps versions, because a file is bound to one of them;
 * it takes each object once; and no signed URL reads what GuardDuty tagged as malware.
 *
 * A job deletes the bytes of files that are of no more use, version by version: a lifecycle rule could
 * recognize them only by a tag, and tags are GuardDuty's. The rule here expires what was only hidden.
 */
export class FileStorage extends Construct {
  readonly bucket: Bucket;
  readonly malwareProtection: MalwareProtection | undefined;

  constructor(scope: Construct, id: string, { pageOrigins, scanResults }: FileStorageProps) {
    super(scope, id);
    this.bucket = new Bucket(this, 'Bucket', {
      versioned: true,
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      removalPolicy: RemovalPolicy.RETAIN,
      ...(pageOrigins.length > 0 && {
        cors: [
          {
            allowedOrigins: [...pageOrigins],
            allowedMethods: [HttpMethods.PUT, HttpMethods.GET],
            allowedHeaders: uploadHeaders,
            maxAge: 600,
          },
        ],
      }),
      lifecycleRules: [
        {
          id: 'ExpireDeletedUploads',
          noncurrentVersionExpiration: keepDeletedUploads,
          expiredObjectDeleteMarker: true,
          abortIncompleteMultipartUploadAfter: keepParts,
        },
      ],
    });
    // A signed upload carries If-None-Match anyway; this holds for every other way to write, too. To begin an upload in
    // parts and to store a part create no object, and take no condition; to put one together does.
    this.deny(['s3:PutObject'], { Null: { 's3:if-none-match': 'true' }, Bool: { 's3:ObjectCreationOperation': 'true' } });
    if (scanResults) this.malwareProtection = this.scanUploads(scanResults);
  }

  private scanUploads(results: JobQueue): MalwareProtection {
    const { bucket } = this;
    if (bucket.node.defaultChild instanceof CfnBucket) {
      bucket.node.defaultChild.notificationConfiguration = { eventBridgeConfiguration: { eventBridgeEnabled: true } };
    }
    const protection = new MalwareProtection(this, 'Scan', { bucket, prefix, results });
    // Only malware is barred: what GuardDuty cannot scan, an admin may still vouch for. And only from signed
    // URLs: finalize and hash must still see the object, or the report about it would never count.
    this.deny(['s3:GetObject', 's3:GetObjectVersion'], {
      StringEquals: { [`s3:ExistingObjectTag/${scanTag}`]: 'THREATS_FOUND', 's3:authType': 'REST-QUERY-STRING' },
    });
    this.deny(['s3:PutObjectTagging', 's3:PutObjectVersionTagging', 's3:DeleteObjectTagging', 's3:DeleteObjectVersionTagging'], {
      ArnNotEquals: { 'aws:PrincipalArn': protection.role.roleArn },
    });
    return protection;
  }

  private deny(actions: string[], conditions: Record<string, Record<string, string>>): void {
    this.bucket.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions,
        resources: [this.bucket.arnForObjects(`${prefix}*`)],
        conditions,
      }),
    );
  }
}
