import type { Feed, FullArtifact, StoredArtifact } from './artifact.ts';

/** Whether an updater of this kind is told of the artifact. */
export const isIn = ({ feeds = [] }: Pick<StoredArtifact, 'feeds'>, feed: Feed): boolean => feeds.includes(feed);

export const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The name under which no other file of the product may be in a velopack feed. */
export const velopackNameOf = ({ fileName }: Pick<FullArtifact, 'fileName'>): string => asciiLower(fileName);
