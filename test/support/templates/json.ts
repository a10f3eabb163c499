/** Any JSON: what is in a template is what is tested. */
export type Json = any;
