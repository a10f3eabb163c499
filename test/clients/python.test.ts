import { describeClient } from './conformance.ts';
import { python } from './languages.ts';

describeClient(python);
