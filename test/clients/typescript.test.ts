import { describeClient } from './conformance.ts';
import { typescript } from './languages/typescript.ts';

describeClient(typescript);
