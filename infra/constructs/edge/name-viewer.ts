import { Function as EdgeFunction, FunctionCode, FunctionRuntime } from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

/**
 * Names the viewer in a header, whatever the viewer itself claims: no policy can forward all headers but
 * Host and add `CloudFront-Viewer-Address` as well.
 */
export const createNameViewer = (scope: Construct, id: string): EdgeFunction =>
  new EdgeFunction(scope, id, {
    comment: 'Names the viewer to the origin.',
    runtime: FunctionRuntime.JS_2_0,
    code: FunctionCode.fromInline(`function handler(event) {
  var request = event.request;
  delete request.headers['cloudfront-viewer-address'];
  request.headers['true-client-ip'] = { value: event.viewer.ip };
  return request;
}`),
  });
