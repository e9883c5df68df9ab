/**
 * npm runs this in a checkout after each change of its packages (script `dependencies`). Releases for other platforms
 * need what it deletes: `npm ci --ignore-scripts` keeps that.
 *
 * `npm ci --omit=dev` installs neither these libraries nor tsx. Nothing has to be deleted then.
 */
const tsx = await import('tsx/esm/api').catch((cause) => {
  if (cause.code !== 'ERR_MODULE_NOT_FOUND') throw cause;
});
if (tsx) {
  const library = await tsx.tsImport('./onnxruntime-library.ts', import.meta.url);
  await library.deleteOtherLibraries(library.packageFolder());
}
