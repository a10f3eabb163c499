import { describeClient } from './conformance.ts';
import { rust } from './rust.ts';

describeClient(rust);
