import type { Parts } from '../../shared/function-parts.ts';
import { createSweep } from './sweep.ts';

/** The sweeper: sends the messages of due jobs again. */
export const compose = ({ logger, table, sender, now }: Parts<'table' | 'sender'>) => createSweep({ table, sender, logger, now });
