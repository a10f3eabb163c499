/** A tab that is to show an address which is not there yet; where the browser refuses to open one, nothing happens. */
export interface NewTab {
  lead(address: string): void;
  close(): void;
}

/** Opens it; only at a press. What it will show has no way back to this tab. */
export function openTab(): NewTab {
  const tab = open('about:blank', '_blank');
  if (tab) tab.opener = null;
  return {
    lead: (address) => tab?.location.replace(address),
    close: () => tab?.close(),
  };
}
