import { describeClient } from './conformance.ts';
import { java } from './languages/java.ts';

describeClient(java);
