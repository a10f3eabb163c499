import { CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnIntegration,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  IpAddressType,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { FunctionDefinition } from '../bundles/find-functions.ts';
import { Canaries } from './canaries.ts';
import { type FunctionStackProps, ServiceFunction, type SharedByFunctions } from './service-function.ts';

/** The function that also answers what no route matches: with a page for a browser, with the Error body for anything else. */
const defaultFunction = 'pages';

/** Below the gateway's 30 s, so that the caller gets our reply and not the gateway's. */
const apiFunctionSeconds = 25;
const gatewayTimeout = Duration.seconds(29);

/**
 * While one of these fails, apps do not start, or buyers cannot pay or get what they paid for. Whoever calls the
 * others is a person who can try again.
 */
const canaries: readonly string[] = ['licenses', 'pages', 'payment-webhooks', 'purchases', 'storefront'];

/**
 * Requests a second to each route, for all callers together: as many as apps check their licenses. No route has a
 * throttle of its own, which would outlive it; see "Throttles by route" in deploying.md.
 */
const throttle = { rateLimit: 2000, burstLimit: 4000 };

/** The HTTP API and one function per endpoint group, with a route for each path that their `routes.ts` lists. */
export class ApiStack extends Stack {
  readonly api: HttpApi;
  readonly functions: readonly ServiceFunction[];
  /** A line for each request, with its method, its route and its status. */
  readonly accessLog: LogGroup;
  private readonly routes: HttpRoute[] = [];

  constructor(scope: Construct, id: string, { functions, shared, ...props }: FunctionStackProps) {
    super(scope, id, props);
    refuseSharedPaths(functions);
    this.api = new HttpApi(this, 'Api', {
      createDefaultStage: false,
      description: 'license-service',
      ipAddressType: IpAddressType.DUAL_STACK,
    });
    this.functions = functions.map((definition) => this.addGroup(definition, shared));
    this.accessLog = new LogGroup(this, 'AccessLog', {
      // Of any other name the gateway adds each log that it is ever given to the account's one policy, until that is full.
      logGroupName: `/aws/vendedlogs/apis/${this.stackName}`,
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    if (shared.deployment.canaries)
      new Canaries(this, 'Canaries', { api: this.api, functions: this.functions.filter(({ node }) => canaries.includes(node.id)) });
    this.addStage();
    new CfnOutput(this, 'Address', {
      value: this.api.apiEndpoint,
      description: 'Where the API answers; PUBLIC_BASE_URL without a domain.',
    });
  }

  private addGroup(definition: FunctionDefinition, shared: SharedByFunctions): ServiceFunction {
    const group = new ServiceFunction(this, definition.name, {
      definition,
      shared,
      timeoutSeconds: apiFunctionSeconds,
      memoryMb: 1024,
    });
    const integration = new HttpLambdaIntegration(definition.name, group.live, {
      timeout: gatewayTimeout,
      scopePermissionToRoute: false,
    });
    // One route for all methods of a path. Its id says OPTIONS, or GET where that is not answered: in a deployed stack with a
    // route for each method this one becomes the route for all, where a new one would exceed what the gateway takes.
    const routes = [...new Set(definition.routes.map(({ path }) => path))].map((path) => {
      const id = `${definition.preflights.includes(path) ? 'OPTIONS' : 'GET'}${path}`;
      return new HttpRoute(this.api, id, { httpApi: this.api, routeKey: HttpRouteKey.with(path, HttpMethod.ANY), integration });
    });
    this.addRoutes(routes);
    if (definition.name === defaultFunction) this.addDefaultRoute(group);
    return group;
  }

  /** An integration of its own: what calls this route is named without method and path, so the permission of the other routes misses it. */
  private addDefaultRoute(group: ServiceFunction): void {
    const integration = new HttpLambdaIntegration('default', group.live, { timeout: gatewayTimeout });
    this.addRoutes([new HttpRoute(this, 'DefaultRoute', { httpApi: this.api, routeKey: HttpRouteKey.DEFAULT, integration })]);
  }

  /** An update first grants the gateway permission to invoke the function, and then adds the integration. */
  private addRoutes(routes: readonly HttpRoute[]): void {
    const parts = routes.flatMap(({ node }) => node.findAll());
    const permissions = parts.filter((part) => part instanceof CfnPermission);
    for (const integration of parts.filter((part) => part instanceof CfnIntegration)) integration.node.addDependency(...permissions);
    this.routes.push(...routes);
  }

  private addStage(): void {
    const stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle,
      accessLogSettings: { destination: new LogGroupLogDestination(this.accessLog), format: AccessLogFormat.custom(accessLine) },
    });
    // Once they are all there; otherwise each route that is made deploys the stage anew.
    stage.node.addDependency(...this.routes);
  }
}

/** Names the route, never the path: a slug or id in it is nobody's business. */
const accessLine = JSON.stringify({
  at: '$context.requestTime',
  requestId: '$context.requestId',
  method: '$context.httpMethod',
  route: '$context.routeKey',
  status: '$context.status',
  milliseconds: '$context.responseLatency',
  bytes: '$context.responseLength',
  failure: '$context.integrationErrorMessage',
});

/** @throws Error when two functions share a path. See "Decisions" in infra/README.md. */
function refuseSharedPaths(functions: readonly FunctionDefinition[]): void {
  const owners = new Map<string, string>();
  for (const { name, routes } of functions) {
    for (const { path } of routes) {
      const owner = owners.get(path) ?? name;
      if (owner !== name) throw new Error(`${path} is served by ${owner} and by ${name}; the gateway has one route for it.`);
      owners.set(path, name);
    }
  }
}
