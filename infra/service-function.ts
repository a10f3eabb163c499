import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, Runtime } from 'aws-cdk-lib/aws-lambda';
import { LogLevel, NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { DataStack } from './data-stack.ts';
import type { FunctionDefinition } from './functions.ts';
import { grantSettings } from './permissions.ts';
import { environmentOf, type OperatorSettings } from './settings.ts';

export interface ServiceFunctionProps {
  definition: FunctionDefinition;
  data: DataStack;
  /** Undefined for the local stack, which fills the settings in itself. */
  operator: OperatorSettings | undefined;
  timeoutSeconds: number;
  memoryMb: number;
}

const root = join(import.meta.dirname, '..');

/** A Lambda function of the service: one bundled file, its own settings, its own role and its own log. */
export class ServiceFunction extends Construct {
  readonly lambda: NodejsFunction;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { definition, data, operator } = props;
    this.logGroup = new LogGroup(this, 'Log', { retention: RetentionDays.THREE_MONTHS, removalPolicy: RemovalPolicy.DESTROY });
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    this.logGroup.grantWrite(role);
    grantSettings(role, definition, data, operator);
    this.lambda = new NodejsFunction(this, 'Function', {
      description: `license-service ${definition.name}`,
      entry: definition.entry,
      projectRoot: root,
      depsLockFilePath: join(root, 'package-lock.json'),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: environmentOf(definition.settingNames, data, operator),
      logGroup: this.logGroup,
      role,
      awsSdkConnectionReuse: false,
      bundling,
    });
  }
}

/**
 * CommonJS, because importing `node:http` from an ES module costs 25 ms at start; no
 * source map at run time, which costs 17 ms. In Lambda credentials are always in the
 * environment, so the SDK's chain of other places to look for them stays out.
 */
const bundling = {
  format: OutputFormat.CJS,
  target: 'node24',
  mainFields: ['module', 'main'],
  minify: true,
  bundleAwsSDK: true,
  sourceMap: false,
  logLevel: LogLevel.WARNING,
  esbuildArgs: { '--alias:@aws-sdk/credential-provider-node': join(import.meta.dirname, 'lambda-credentials.ts') },
};
