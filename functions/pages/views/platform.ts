/** What files run on, by how their names end. Archives and documents tell nothing. */
const platforms: Readonly<Record<string, string>> = {
  dmg: 'macOS',
  pkg: 'macOS',
  exe: 'Windows',
  msi: 'Windows',
  msix: 'Windows',
  appimage: 'Linux',
  deb: 'Linux',
  rpm: 'Linux',
  flatpak: 'Linux',
  apk: 'Android',
};

/** What a file of this name runs on; undefined when its name does not tell. */
export function platformOf(fileName: string): string | undefined {
  const [, ending = ''] = /\.(\w+)$/.exec(fileName.toLowerCase()) ?? [];
  return Object.hasOwn(platforms, ending) ? platforms[ending] : undefined;
}
