import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  type DynamoDBClientConfig,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ConditionFailedError, type Dynamo, requestLimits, TransactionCancelled } from './dynamo.ts';

/** A client of the SDK within the `requestLimits`, unless `config` says otherwise. */
export function createDynamoClient(config: DynamoDBClientConfig = {}): DynamoDBClient {
  const { maxAttempts, connectionTimeout, requestTimeout } = requestLimits;
  return new DynamoDBClient({
    maxAttempts,
    // The request's time ends where its answer begins; an answer that stops midway is given up by the socket's.
    requestHandler: { connectionTimeout, requestTimeout, socketTimeout: requestTimeout, throwOnRequestTimeout: true },
    ...config,
  });
}

/** Requests through the SDK. */
export function createSdkDynamo(client = createDynamoClient()): Dynamo {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return {
    get: async (request) => ({ item: (await documents.send(new GetCommand(request))).Item }),
    async batchGet(request) {
      const { Responses = {}, UnprocessedKeys } = await documents.send(new BatchGetCommand(request));
      return { itemsOf: Responses, rest: UnprocessedKeys };
    },
    async query(request) {
      const { Items = [], Count = 0, LastEvaluatedKey } = await documents.send(new QueryCommand(request));
      return { items: Items, count: Count, lastKey: LastEvaluatedKey };
    },
    async put(request) {
      await refusable(() => documents.send(new PutCommand(request)));
    },
    update: async (request) => ({ attributes: (await refusable(() => documents.send(new UpdateCommand(request)))).Attributes }),
    async delete(request) {
      await refusable(() => documents.send(new DeleteCommand(request)));
    },
    async transactWrite(request) {
      await refusable(() => documents.send(new TransactWriteCommand(request)));
    },
  };
}

/** The document client leaves the items inside errors marshalled. */
async function refusable<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) throw new ConditionFailedError(error.Item && unmarshall(error.Item));
    if (error instanceof TransactionCanceledException) {
      const reasons = error.CancellationReasons ?? [];
      throw new TransactionCancelled(reasons.map(({ Code = 'None', Item }) => ({ code: Code, old: Item && unmarshall(Item) })));
    }
    throw error;
  }
}
