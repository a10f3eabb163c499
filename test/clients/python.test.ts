import { describeClient } from './conformance.ts';
import { python } from './languages/python.ts';

describeClient(python);
