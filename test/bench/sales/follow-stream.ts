import type { AttributeValue, DynamoDBClient, TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';

/** Tells of each item that a client puts in a transaction, once it is committed, as the stream of the table does. */
export function followStream(client: DynamoDBClient, tell: (item: Record<string, AttributeValue>) => void): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        if (commandName === 'TransactWriteItemsCommand') {
          for (const { Put } of (args.input as TransactWriteItemsInput).TransactItems ?? []) {
            if (Put?.Item) tell(Put.Item);
          }
        }
        return result;
      },
    { step: 'build', name: 'followStream' },
  );
}
