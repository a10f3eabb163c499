import { randomUUID } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { createSignedClient, RequestRefusedError } from '../../aws/signed-client.ts';
import { ConditionFailedError, type Dynamo, type Item, requestLimits, TransactionCancelled } from './dynamo.ts';

type Marshalled = Record<string, AttributeValue>;
type MarshalledKeys = Record<string, { Keys: Marshalled[] }>;
/** What the operations answer, and what they say when they refuse. */
interface Answer {
  Item?: Marshalled;
  Items?: Marshalled[];
  Count?: number;
  LastEvaluatedKey?: Marshalled;
  Attributes?: Marshalled;
  Responses?: Record<string, Marshalled[]>;
  UnprocessedKeys?: MarshalledKeys;
  CancellationReasons?: { Code?: string; Item?: Marshalled }[];
}

export const dynamodb = {
  name: 'dynamodb',
  target: 'DynamoDB_20120810',
  contentType: 'application/x-amz-json-1.0',
  endpointVariable: 'AWS_ENDPOINT_URL_DYNAMODB',
} as const;

/** Requests without the SDK's client, for the functions that somebody waits for. Of items that hold no bytes. */
export function createSignedDynamo(): Dynamo {
  const send = createSignedClient<Answer>(dynamodb, requestLimits);
  return {
    get: async (request) => ({ item: plainIfAny((await send('GetItem', wireOf(request))).Item) }),
    async batchGet({ RequestItems = {} }) {
      const keysOf = mapValues(RequestItems, ({ Keys = [], ...rest }) => ({ ...rest, Keys: Keys.map(attributes) }));
      const { Responses = {}, UnprocessedKeys = {} } = await send('BatchGetItem', { RequestItems: keysOf });
      return {
        itemsOf: mapValues(Responses, (items) => items.map(plain)),
        rest: mapValues(UnprocessedKeys, ({ Keys, ...rest }) => ({ ...rest, Keys: Keys.map(plain) })),
      };
    },
    async query(request) {
      const { Items = [], Count = 0, LastEvaluatedKey } = await send('Query', wireOf(request));
      return { items: Items.map(plain), count: Count, lastKey: plainIfAny(LastEvaluatedKey) };
    },
    async put(request) {
      await refusable(send('PutItem', wireOf(request)));
    },
    update: async (request) => ({ attributes: plainIfAny((await refusable(send('UpdateItem', wireOf(request)))).Attributes) }),
    async delete(request) {
      await refusable(send('DeleteItem', wireOf(request)));
    },
    async transactWrite(request) {
      const TransactItems = request.TransactItems?.map(writeOf);
      // A repeat of what was written, whose answer was lost, is no second write.
      await refusable(send('TransactWriteItems', { ClientRequestToken: randomUUID(), ...request, TransactItems }));
    },
  };
}

const attributes = (item: Item): Marshalled => marshall(item, { removeUndefinedValues: true });
const plain = (item: Marshalled): Item => unmarshall(item);
const plainIfAny = (item: Marshalled | undefined) => item && plain(item);

function mapValues<From, To>(record: Record<string, From>, map: (value: From, name: string) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

/** The parts of requests that hold attributes. */
const holders = new Set(['Key', 'Item', 'ExpressionAttributeValues', 'ExclusiveStartKey']);

function wireOf(request: object): object {
  return mapValues({ ...request }, (part: unknown, name) => (holders.has(name) && isItem(part) ? attributes(part) : part));
}

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null;

const writeOf = (write: NonNullable<TransactWriteCommandInput['TransactItems']>[number]) =>
  mapValues({ ...write }, (part) => part && wireOf(part));

const refusals = new Set(['ConditionalCheckFailedException', 'TransactionCanceledException']);

async function refusable<T>(sent: Promise<T>): Promise<T> {
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof RequestRefusedError)) throw error;
    if (!refusals.has(error.name)) throw error;
    const { Item, CancellationReasons = [] }: Answer = JSON.parse(error.body);
    if (error.name === 'ConditionalCheckFailedException') throw new ConditionFailedError(plainIfAny(Item));
    throw new TransactionCancelled(CancellationReasons.map(({ Code = 'None', Item: old }) => ({ code: Code, old: plainIfAny(old) })));
  }
}
