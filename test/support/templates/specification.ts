import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec';

const database = loadAwsServiceSpecSync();
const lookUp = (type: string) => database.lookup('resource', 'cloudFormationType', 'equals', type)[0];
const known = new Map<string, ReturnType<typeof lookUp>>();

/** What is published about a resource type, or undefined where there is no such type. */
export function specificationOf(type: string) {
  if (!known.has(type)) known.set(type, lookUp(type));
  return known.get(type);
}
