/** What pages say about the releases of a product. */
export const releases = {
  title: (product: string) => `What’s new in ${product}`,
  heading: 'What’s new',
  description: (product: string) => `The versions of ${product}, and what changed in each.`,
  link: 'What’s new in each version',
  back: 'Back to the product',
  version: (version: string) => `Version ${version}`,
  critical: 'Important update',
  channels: { rc: 'Release candidate', beta: 'Beta', alpha: 'Alpha', dev: 'Development version' },
  none: 'No version has been published yet.',
  noneSteady: 'No finished version has been published yet.',
  noneOlder: 'There are no older versions.',
  previews: 'Show previews too',
  previewsText: 'Previews are versions that are still being tested.',
  steady: 'Show finished versions only',
  older: 'Older versions',
  newest: 'Newest versions',
};
