/** What the notes of releases become as HTML. See "Notes" in submission.md */

import { type Html, trustedHtml } from '../html.ts';
import { markdownHtml, markdownWriter, renderMarkdown } from '../text/markdown.ts';
import type { ReleaseRecord, RenderedNotes } from './release.ts';

/** What is kept of notes; undefined where they become more than may be. */
export function keptNotes(notes: string): RenderedNotes | undefined {
  const html = markdownHtml(notes);
  return html && { html: String(html), writer: markdownWriter };
}

/** Notes as HTML: as it was kept, or made now where none was, or by another writer. */
export const notesHtml = ({ notes, renderedNotes: kept }: Pick<ReleaseRecord, 'notes' | 'renderedNotes'>): Html =>
  kept?.writer === markdownWriter ? trustedHtml(kept.html) : renderMarkdown(notes);
