import type { ModelRecipe } from '../recipe';
import { centernet } from './centernet';
import { faceboxes } from './faceboxes';
import { poseMask, selfieMask } from './person-masks';
import { textRegions } from './text-regions';

/** In the order of the manifest. */
export const DEFAULT_SET: readonly ModelRecipe[] = [faceboxes, centernet, textRegions, selfieMask, poseMask];
