import { jobContext } from '../../shared/function-parts.ts';
import { startFunction } from '../../shared/start-function.ts';
import { compose } from './compose.ts';
import { settingNames } from './declaration.ts';

export const handler = startFunction('code-batches', settingNames, (settings, logger) => compose(jobContext(settings, logger)));
