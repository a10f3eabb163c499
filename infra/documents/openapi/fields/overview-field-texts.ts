import { exampleIds, type FieldText } from './field-texts.ts';

/** Of what a seller sees first. */
export const overviewFieldTexts: Readonly<Record<string, FieldText>> = {
  attention: { text: 'What needs the seller, newest first, at most 50; empty when nothing does.' },
  'Overview.attention.kind': { text: 'What it is that needs the seller.', example: 'file_rejected' },
  'Overview.attention.since': { text: 'Since when, as far as it is known.', example: '2026-01-31T09:00:00.000Z' },
  'Overview.attention.target_id': {
    text: 'What it is about: the seller, or the product, file, release or endpoint.',
    example: exampleIds.file,
  },
  'Overview.seller': { text: 'The caller’s seller; absent until they applied.' },
  'Overview.tasks.id': { text: 'The task.', example: 'apply' },
  'Overview.tasks.state': {
    text: '`todo` and `action` are the seller’s to do, for the first time or because something went wrong; `waiting` is somebody else’s turn.',
    example: 'done',
  },
  'Overview.tasks.target_id': {
    text: 'The product that is furthest on with it; absent of `apply` and `payments`, and without one.',
    example: exampleIds.product,
  },
  tasks: { text: 'The way to the first sale: all six, in their order.' },
};
