import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import {
  AttributeType,
  Billing,
  ContributorInsightsMode,
  type ITableV2,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import * as z from 'zod/mini';
import { secretSettings } from '../../shared/config.ts';
import { protectAudit } from '../constructs/audit-protection.ts';
import { TableInterface } from '../constructs/cdk-interfaces.ts';
import { FileStorage } from '../constructs/file-storage.ts';
import { addJobQueue, type JobQueue } from '../constructs/job-queue.ts';
import { MailDelivery, type MailDeliveryProps } from '../constructs/mail-delivery.ts';
import type { MalwareProtection } from '../constructs/malware-protection.ts';
import { queueDefinitions } from '../constructs/queues.ts';
import { tableIndexes } from '../constructs/table-indexes.ts';

/** What a reference to the plan of GuardDuty is exported as. */
const planExport = 'ExportsOutputFnGetAttFilesScanPlan2FFD160DArn528E7195';

/** Names the keys that are throttled, and no other: they hold ids and keyed hashes. */
const throttledKeys = { enabled: true, mode: ContributorInsightsMode.THROTTLED_KEYS };

export interface DataStackProps extends StackProps {
  /** Secrets are kept under this prefix. */
  secretPrefix?: string;
  /** What only the cloud has: a scanner of its own, the identity that mails come from, and a table that was restored. */
  forCloud?:
    | {
        pageOrigins: readonly string[];
        guardDuty: boolean;
        mailSender?: MailDeliveryProps['sender'];
        restoredStream?: string | undefined;
      }
    | undefined;
}

/** What must outlive every deployment: the table, the private files, the queues, the secrets. */
export class DataStack extends Stack {
  /** The template's own, or the restored one that took its place. */
  readonly table: ITableV2;
  readonly bucket: Bucket;
  /** The bucket's ARN for other stacks, under an export name that is known when the checks are acknowledged. */
  readonly bucketArn: string;
  readonly bucketArnExport = `${this.stackName}-files-arn`;
  /** Only in the cloud, and where no other engine scans. */
  readonly malwareProtection: MalwareProtection | undefined;
  readonly mailDelivery: MailDelivery;
  /** By the name of the setting that holds the queue's URL. */
  readonly queues: ReadonlyMap<string, JobQueue>;
  /** By the name of the setting. */
  readonly secrets: ReadonlyMap<string, Secret>;

  constructor(scope: Construct, id: string, props: DataStackProps = {}) {
    super(scope, id, props);
    const own = this.createTable();
    const stream = props.forCloud?.restoredStream;
    this.table = stream === undefined ? z.parse(TableInterface, own) : this.replaceTable(stream);
    new CfnOutput(this, 'TableName', { value: this.table.tableName, description: 'What TABLE_NAME of `npm run ops` is' });
    this.queues = new Map(Object.entries(queueDefinitions).map(([setting, definition]) => [setting, addJobQueue(this, definition)]));
    const reports = this.queues.get('MAIL_QUEUE_URL');
    if (!reports) throw new Error('infra/constructs/queues.ts has no queue for reports of mails.');
    this.mailDelivery = new MailDelivery(this, 'Mail', {
      reports,
      sender: props.forCloud?.mailSender,
    });
    const { bucket, malwareProtection } = new FileStorage(this, 'Files', {
      // Empty is what the local stack fills in, as with settings.
      pageOrigins: props.forCloud?.pageOrigins ?? [''],
      scanResults: props.forCloud?.guardDuty ? this.queues.get('SCAN_QUEUE_URL') : undefined,
    });
    this.bucket = bucket;
    this.malwareProtection = malwareProtection;
    this.bucketArn = this.exportValue(this.bucket.bucketArn, { name: this.bucketArnExport });
    this.secrets = new Map(this.createSecrets(props.secretPrefix ?? 'license-service/local'));
    this.pinExports(own);
  }

  /**
   * What other stacks may import is exported whether or not they do: an export goes only when nobody imports it, and
   * this stack is deployed before those that do. See "From staging to production" in deploying.md.
   */
  private pinExports(own: TableV2): void {
    const queues = [...this.queues.values()].flatMap(({ queue, deadLetters }) => [
      queue.queueUrl,
      queue.queueArn,
      queue.queueName,
      deadLetters.queueName,
    ]);
    const secrets = [...this.secrets.values()].map(({ secretArn }) => secretArn);
    const { bucketName, bucketArn } = this.bucket;
    const table = [own.tableName, own.tableArn, own.tableStreamArn];
    for (const value of [...table, bucketName, bucketArn, this.mailDelivery.configurationSetName, ...queues, ...secrets])
      if (value !== undefined) this.exportValue(value);
    if (this.malwareProtection) this.exportValue(this.malwareProtection.planArn);
    else new CfnOutput(this, planExport, { value: 'none', exportName: `${this.stackName}:${planExport}` });
  }

  private createTable(): TableV2 {
    const text = (name: string) => ({ name, type: AttributeType.STRING });
    return new TableV2(this, 'Table', {
      partitionKey: text('pk'),
      sortKey: text('sk'),
      timeToLiveAttribute: 'ttl',
      // Who listens reads the item itself, so that nothing of it is copied.
      dynamoStream: StreamViewType.KEYS_ONLY,
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: true,
      removalPolicy: RemovalPolicy.RETAIN,
      resourcePolicy: protectAudit(),
      contributorInsightsSpecification: throttledKeys,
      globalSecondaryIndexes: tableIndexes.map(({ indexName, partitionKey, sortKey, nonKeyAttributes }) => ({
        indexName,
        partitionKey: text(partitionKey),
        sortKey: text(sortKey),
        projectionType: nonKeyAttributes ? ProjectionType.INCLUDE : ProjectionType.ALL,
        ...(nonKeyAttributes && { nonKeyAttributes }),
        contributorInsightsSpecification: throttledKeys,
      })),
    });
  }

  private replaceTable(tableStreamArn: string): ITableV2 {
    return TableV2.fromTableAttributes(this, 'RestoredTable', {
      tableArn: tableStreamArn.slice(0, tableStreamArn.indexOf('/stream/')),
      tableStreamArn,
      globalIndexes: tableIndexes.map(({ indexName }) => indexName),
    });
  }

  /** Each starts with a random value that nobody knows; the operator puts the real one in. */
  private createSecrets(prefix: string): [string, Secret][] {
    return [...secretSettings].map((setting) => [
      setting,
      new Secret(this, setting, {
        secretName: `${prefix}/${setting}`,
        // A first deployment that fails must free their names. The table, which is protected, and the bucket, into
        // which GuardDuty may have written, would fail its rollback, and the next deployment names others.
        removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
      }),
    ]);
  }
}
