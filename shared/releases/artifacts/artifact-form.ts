/** Whether an updater of this kind is told of the artifact. */
export const isInFeed = <Feed extends string>({ feeds = [] }: { feeds?: readonly Feed[] | undefined }, feed: Feed): boolean =>
  feeds.includes(feed);

/** What electron-updater installs, by the platform. */
export const electronInstallers = {
  windows: ['.exe'],
  macos: ['.zip'],
  linux: ['.appimage', '.deb', '.rpm', '.pacman'],
} as const;

/** With its dot, in lower case; empty where there is none. */
export const extensionOf = ({ fileName }: { fileName: string }): string => asciiLower(/\.[^.]*$/.exec(fileName)?.[0] ?? '');

export const asciiLower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
