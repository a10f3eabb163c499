/** TEST_DEPTH: 1 as usual, 0.1 for a quick look, 10 for a long search. */
const depth = Number(process.env['TEST_DEPTH'] ?? 1);

/** How often a property is tried. */
export const tries = (usual: number) => Math.ceil(usual * depth);

/** Of cases that are all tried at depth 1, those of this run: a third of its share, drawn at random, the first of them always. */
export function sampled<Case>(cases: readonly Case[]): Case[] {
  if (depth >= 1) return [...cases];
  const ranks = cases.map((_, index) => (index === 0 ? 0 : Math.random()));
  const highest = ranks.toSorted((a, b) => a - b)[tries(cases.length / 3) - 1] ?? 0;
  return cases.filter((_, index) => (ranks[index] ?? 1) <= highest);
}

/** In which of two orders two tasks begin: below depth 1 in one of them, drawn at random. */
export const turns = () => sampled(Math.random() < 0.5 ? [false, true] : [true, false]);
