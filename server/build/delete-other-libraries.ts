/**
 * npm runs this in a checkout after each change of its packages (script `dependencies`). Releases for other platforms
 * need what it deletes: `npm ci --ignore-scripts` keeps that.
 */
import { endWhenOutputCloses } from '../end-when-output-closes';
import { deleteOtherLibraries, packageFolder } from './onnxruntime-library';

endWhenOutputCloses();

await deleteOtherLibraries(packageFolder());
