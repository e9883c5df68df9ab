/**
 * npm runs this in a checkout after each change of its packages (script `dependencies`). Releases for other platforms
 * need what it deletes: `npm ci --ignore-scripts` keeps that.
 */
import { deleteOtherLibraries, packageFolder } from './onnxruntime-library';

await deleteOtherLibraries(packageFolder());
