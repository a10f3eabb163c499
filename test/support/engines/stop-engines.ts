export default async function stopEngines(): Promise<void> {
  await Promise.all(globalThis.engines.map((engine) => engine.stop()));
}
