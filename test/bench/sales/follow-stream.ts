import type { DynamoDBClient, TransactWriteItemsInput } from '@aws-sdk/client-dynamodb';

/** Tells of each job `publish-event` that a client adds, as the stream of the table does. */
export function followStream(client: DynamoDBClient, tell: (jobId: string) => void): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        if (commandName === 'TransactWriteItemsCommand') {
          for (const { Put } of (args.input as TransactWriteItemsInput).TransactItems ?? []) {
            const id = Put?.Item?.['id']?.S;
            if (id?.startsWith('publish-event:')) tell(id);
          }
        }
        return result;
      },
    { step: 'build', name: 'followStream' },
  );
}
