import type { ModelSpec } from '../model-spec';
import { faceCenters } from './face-centers';
import { faceEmbedding } from './face-embedding';
import { centernet } from './centernet';
import { objectOutlines } from './object-outlines';
import { poseMask, selfieMask } from './person-masks';
import { plateWindows } from './plate-windows';
import { textReader } from './text-reader';
import { textRegions } from './text-regions';

/** In the order of the manifest. */
export const DEFAULT_SET: readonly ModelSpec[] = [
  faceCenters,
  centernet,
  textRegions,
  plateWindows,
  selfieMask,
  poseMask,
  objectOutlines,
  faceEmbedding,
  textReader,
];
