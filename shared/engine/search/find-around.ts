import type { Detection } from '../../domain/detection';
import { joinAtSeam } from '../fusion/seam';
import { findObjects } from './find-objects';

/** Share of the search of a panorama that is done before its poles are searched. */
const BEFORE_POLES = 0.7;

/**
 * Finds all objects to hide in an image, and in a panorama all around: those that its seam cuts as one detection, which
 * ends beyond the right edge, and those at its poles. A quick search of a frame leaves the poles to the tracks.
 *
 * @returns for other images the same as `findObjects`
 */
export const findAround = async (
  ...[pyramid, options, ports, run]: Parameters<typeof findObjects>
): Promise<Detection[]> => {
  if (options.format.kind !== 'pano') return findObjects(pyramid, options, ports, run);
  const { onProgress, scope } = run;
  const isWhole = scope === undefined || scope.depth === 'whole';
  const found = await findObjects(pyramid, options, ports, {
    ...run,
    onProgress: (share) => onProgress?.(isWhole ? BEFORE_POLES * share : share),
  });
  const joined = joinAtSeam(found, pyramid.width);
  if (!isWhole) return joined;
  const inView = { ...options, format: { kind: 'whole' } } as const;
  const onlyView = { signal: run.signal, ...(scope && { scope: { ...scope, expected: [] } }) };
  // Few visits meet a panorama: the code of its poles is loaded with the first one.
  const { withPoles } = await import('./search-poles');
  return withPoles(pyramid, joined, (view) => findObjects(view, inView, ports, onlyView));
};
