import { useRoute } from 'preact-iso';

/** What stands in the address in the place of a parameter of the screen's path. */
export function useParam(name: string): string {
  return useRoute().params[name] ?? '';
}
