/** TEST_DEPTH: 1 as usual, 0.1 for a quick look, 10 for a long search. */
const depth = Number(process.env['TEST_DEPTH'] ?? 1);

/** How often a property is tried. */
export const tries = (usual: number) => Math.ceil(usual * depth);

/** In a list of cases that is tried from end to end, the step to the next; 1 unless it is a quick look. */
export const stride = Math.max(1, Math.round(1 / depth));
