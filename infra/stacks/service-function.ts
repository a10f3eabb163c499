import { Duration, RemovalPolicy, type StackProps } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, Architecture, Code, type IFunction, RecursiveLoop, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import * as z from 'zod/mini';
import type { Bundle } from '../bundles/bundle-functions.ts';
import type { FunctionDefinition } from '../bundles/find-functions.ts';
import { FunctionInterface, VersionInterface } from '../constructs/cdk-interfaces.ts';
import type { Deployment } from '../settings/deployment.ts';
import type { OperatorSettings } from '../settings/operator-settings.ts';
import type { DataStack } from './data-stack.ts';
import { environmentOf } from './environment.ts';
import { grantSettings } from './permissions.ts';

/** What every function is made from. */
export interface SharedByFunctions {
  data: DataStack;
  /** Undefined for the local stack, which fills the settings in itself. */
  operator: OperatorSettings | undefined;
  deployment: Deployment;
  /** By function name; empty where only the template matters. */
  bundles: ReadonlyMap<string, Bundle>;
}

/** A stack that is made of functions. */
export interface FunctionStackProps extends StackProps {
  functions: readonly FunctionDefinition[];
  shared: SharedByFunctions;
}

interface ServiceFunctionProps {
  definition: FunctionDefinition;
  shared: SharedByFunctions;
  timeoutSeconds: number;
  memoryMb: number;
  /**
   * Whether what it sends may come back to it. Lambda stops the 17th run in such a circle, long before the
   * retry schedule of a job ends; allow it only where the schedule does end.
   */
  mayLoop?: boolean;
}

/** A Lambda function of the service: one bundled file, its own settings, its own role and its own log. */
export class ServiceFunction extends Construct {
  readonly lambda: NodejsFunction;
  /**
   * What calls the function calls this: the version that serves. Code and environment of a version
   * change together, and a broken one can be left again.
   */
  readonly live: IFunction;
  /** The same, for what moves it between versions. */
  readonly alias: Alias;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { definition } = props;
    const { data, operator, deployment, bundles } = props.shared;
    const reserved = deployment.reserved.get(definition.name);
    const bundle = bundles.get(definition.name);
    this.logGroup = new LogGroup(this, 'Log', { retention: RetentionDays.THREE_MONTHS, removalPolicy: RemovalPolicy.DESTROY });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);
    grantSettings(role, definition, data, operator);
    this.lambda = new NodejsFunction(this, 'Function', {
      description: `license-service ${definition.name}`,
      code: bundle ? Code.fromAsset(bundle.folder) : Code.fromInline('exports.handler = undefined'),
      handler: 'start.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: environmentOf(definition.settingNames, data, operator),
      logGroup: this.logGroup,
      role,
      awsSdkConnectionReuse: false,
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      ...(props.mayLoop && { recursiveLoop: RecursiveLoop.ALLOW }),
    });
    const version = z.parse(VersionInterface, this.lambda.currentVersion);
    this.alias = new Alias(this, 'Live', { aliasName: 'live', version });
    this.live = z.parse(FunctionInterface, this.alias);
  }
}
