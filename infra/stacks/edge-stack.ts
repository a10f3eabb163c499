import { CfnCondition, CfnOutput, Duration, Fn, SecretValue, Stack, type StackProps, Token } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  FunctionEventType,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { AaaaRecord, ARecord, HostedZone, RecordTarget } from 'aws-cdk-lib/aws-route53';
import { CloudFrontTarget } from 'aws-cdk-lib/aws-route53-targets';
import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { addAccessLog } from '../constructs/edge/access-log.ts';
import { cachedPaths, createCachedRequests, createCachePolicies, uncachedErrors, uncachedPaths } from '../constructs/edge/caching.ts';
import { addFirewall } from '../constructs/edge/firewall.ts';
import { createNameViewer } from '../constructs/edge/name-viewer.ts';
import type { EdgeSettings } from '../settings/edge-settings.ts';
import type { DataStack } from './data-stack.ts';

/** Certificates, firewalls and metrics of CloudFront are there. */
export const edgeRegion = 'us-east-1';

export interface EdgeStackProps extends StackProps {
  data: DataStack;
  /** Under which name the data stack keeps the secret that the origin demands. */
  secretName: string;
  settings: EdgeSettings;
}

/**
 * What callers reach under the service's own domain: a CDN with a firewall, in front of the API. It is in the account of
 * the other stacks, whatever their Region. See "The edge" in edge.md.
 */
export class EdgeStack extends Stack {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { data, secretName, settings, ...props }: EdgeStackProps) {
    super(scope, id, { ...props, env: { ...props.env, region: edgeRegion } });
    replicateSecret(data, secretName);
    this.addStackDependency(data);
    const webAcl = addFirewall(this, 'Firewall', {
      name: this.stackName,
      licenseRate: settings.EDGE_LICENSE_RATE,
      rate: settings.EDGE_RATE,
    });
    this.distribution = this.addDistribution(secretName, settings, webAcl.attrArn);
    if (settings.EDGE_ZONE_ID !== undefined) this.addRecords(this.distribution, settings.EDGE_DOMAIN, settings.EDGE_ZONE_ID);
    addAccessLog(this, 'AccessLog', this.distribution);
    new CfnOutput(this, 'EdgeAddress', {
      value: this.distribution.distributionDomainName,
      description: `Where ${settings.EDGE_DOMAIN} leads; an alias or CNAME record without EDGE_ZONE_ID.`,
    });
  }

  private addDistribution(secretName: string, settings: EdgeSettings, webAclId: string): Distribution {
    const { EDGE_SECRET_VERSION: versionId } = settings;
    const secret = SecretValue.secretsManager(secretName, versionId === undefined ? {} : { versionId });
    const origin = new HttpOrigin(settings.EDGE_ORIGIN, {
      // In place of whatever a viewer sends under this name.
      customHeaders: { 'X-Origin-Secret': secret.unsafeUnwrap() },
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: Duration.seconds(30),
    });
    const nameViewer = { eventType: FunctionEventType.VIEWER_REQUEST, function: createNameViewer(this, 'NameViewer') };
    const uncached: BehaviorOptions = {
      origin,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
      functionAssociations: [nameViewer],
    };
    const { pages, files } = createCachePolicies(this);
    const cached = { ...uncached, compress: true, originRequestPolicy: createCachedRequests(this) };
    const behaviors = (paths: readonly string[], options: BehaviorOptions) => Object.fromEntries(paths.map((path) => [path, options]));
    return new Distribution(this, 'Distribution', {
      comment: this.stackName,
      domainNames: [settings.EDGE_DOMAIN],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', settings.EDGE_CERTIFICATE_ARN),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: HttpVersion.HTTP2_AND_3,
      enableIpv6: true,
      webAclId,
      defaultBehavior: uncached,
      // The first that matches a path decides.
      additionalBehaviors: {
        ...behaviors(uncachedPaths, uncached),
        ...behaviors(cachedPaths.pages, { ...cached, cachePolicy: pages }),
        ...behaviors(cachedPaths.files, { ...cached, cachePolicy: files }),
      },
      errorResponses: uncachedErrors,
    });
  }

  private addRecords(distribution: Distribution, domain: string, hostedZoneId: string): void {
    const zone = HostedZone.fromHostedZoneAttributes(this, 'Zone', { hostedZoneId, zoneName: domain });
    const record = { zone, recordName: `${domain}.`, target: RecordTarget.fromAlias(new CloudFrontTarget(distribution)) };
    new ARecord(this, 'Address4', record);
    new AaaaRecord(this, 'Address6', record);
  }
}

/** Where the data stack is in another Region: a template can refer to the secrets of its own alone. */
function replicateSecret(data: DataStack, secretName: string): void {
  const secret = data.secrets.get('ORIGIN_SECRET')?.node.defaultChild;
  if (!(secret instanceof CfnSecret)) throw new Error(`There is no secret ${secretName} for the edge.`);
  const replicas = [{ region: edgeRegion }];
  if (!Token.isUnresolved(data.region)) {
    if (data.region !== edgeRegion) secret.replicaRegions = replicas;
    return;
  }
  const isElsewhere = new CfnCondition(data, 'IsNotAtEdge', { expression: Fn.conditionNot(Fn.conditionEquals(data.region, edgeRegion)) });
  secret.addPropertyOverride('ReplicaRegions', Fn.conditionIf(isElsewhere.logicalId, [{ Region: edgeRegion }], { Ref: 'AWS::NoValue' }));
}
