/** What the build puts into each script, and into the worker none of it. */

/** In whose language the script speaks: there is a script for each. */
declare const LANGUAGE: 'en' | 'ja';
/** For whom the script is. */
declare const ROLE: 'admin' | 'seller';

/** The operations that this role may call, by their ids: method, path with its parameters in braces, and of `checkedOperations` what a body must be. */
declare module 'console:operations' {
  export const operations: Readonly<
    Record<string, readonly [method: string, path: string, body?: import('./api/body-check.ts').BodySchema]>
  >;
}

/** The fields of a product, as `shared/products/fields.ts` has them, in the order in which people meet them. */
declare module 'console:product-fields' {
  type Name = import('../../../shared/products/fields.ts').WireFieldName;
  export const writtenFields: Readonly<Record<Name, import('./api/product-fields.ts').WrittenField>>;
  export const reviewedFields: Readonly<Record<Name, import('./api/product-fields.ts').ReviewedField>>;
}

declare module 'console:assets' {
  /** Where the worker is that hashes files. */
  export const workerUrl: string;
}
