import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Alias, type IFunction, type IVersion, Version } from 'aws-cdk-lib/aws-lambda';
import * as z from 'zod/mini';

// The CDK's classes say of properties that they may be undefined, its interfaces that they may be absent.
export const FunctionInterface = z.custom<IFunction>((construct) => construct instanceof Alias);
export const VersionInterface = z.custom<IVersion>((construct) => construct instanceof Version);
export const TableInterface = z.custom<ITableV2>((construct) => construct instanceof TableV2);
