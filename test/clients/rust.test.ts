import { describeClient } from './conformance.ts';
import { rust } from './languages/rust.ts';

describeClient(rust);
