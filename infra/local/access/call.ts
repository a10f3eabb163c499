/** A function, which acts with the rights of its role. */
export interface FunctionPrincipal {
  functionName: string;
  roleArn: string;
}

/** A service of AWS that acts for one of our resources: an alarm, a rule, a route. */
export interface ServicePrincipal {
  service: string;
  sourceArn: string;
}

export type Principal = FunctionPrincipal | ServicePrincipal;

/** What one request wants to do to one resource. A request may be several of them. */
export interface Call {
  action: string;
  resource: string;
  /** The condition keys that are peculiar to this call. */
  context?: Readonly<Record<string, string | string[]>>;
}

/** One operation of a service that speaks JSON, as it was asked for. */
export interface Operation {
  /** Without the version before it. */
  name: string;
  input: Readonly<Record<string, unknown>>;
}
