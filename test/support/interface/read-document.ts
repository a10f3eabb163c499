import { readFileSync } from 'node:fs';

type Json = any;

/** The description of the interface, its shared replies and parameters where they are used. */
export function readDocument(): Json {
  const document = JSON.parse(readFileSync(process.env['OPENAPI_DOCUMENT'] ?? '', 'utf8'));
  const { responses, parameters } = document.components;
  const whole = (part: Json, shared: Json) => (part.$ref === undefined ? part : shared[part.$ref.split('/').at(-1)]);
  for (const operation of Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods))) {
    operation.parameters = operation.parameters?.map((part: Json) => whole(part, parameters));
    for (const [status, part] of Object.entries(operation.responses)) operation.responses[status] = whole(part, responses);
  }
  return document;
}
