/** Whether an updater of this kind is told of the artifact. */
export const isInFeed = <Feed extends string>({ feeds = [] }: { feeds?: readonly Feed[] | undefined }, feed: Feed): boolean =>
  feeds.includes(feed);

export const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
