import { describeClient } from './conformance.ts';
import { typescript } from './languages.ts';

describeClient(typescript);
