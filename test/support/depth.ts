const depth = Number(process.env['TEST_DEPTH'] ?? 1);

/** How often a property is tried. TEST_DEPTH scales it: 0.1 for a quick look, 10 for a long search. */
export const tries = (usual: number) => Math.ceil(usual * depth);
