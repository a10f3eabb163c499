import { describeClient } from './conformance.ts';
import { java } from './java.ts';

describeClient(java);
