import { type FollowedArea, drawnShapeBounds } from '#shared/domain/edits/edits';
import type { Box } from '#shared/domain/boxes';
import type { ItemEdits } from '../../state/edit-history';
import { isSameState } from '../../state/history';
import type { FoundObject, MediaResult, SeenSpan } from '../../state/media-item';
import type { SelectedFace } from '../../state/subjects/crop-sample';
import { timeRangeOf, type TimeRange } from '../../state/video-edits';
import { useEffect, useRef, useState } from 'react';
import { createCropper, type Crop, type FrameSize } from '../../state/video-crops';

export interface NamedCrop extends Crop {
  readonly name: string;
}

type Urls = ReadonlyMap<string, string>;
const NONE: Urls = new Map();

/**
 * Addresses of thumbnails by name, as they become ready; none where the browser cannot play the video.
 *
 * @param crops those in view alone: each takes a seek
 */
export const useCrops = (file: File, { width, height }: FrameSize, crops: readonly NamedCrop[]): Urls => {
  const [urls, setUrls] = useState(NONE);
  const made = useRef(new Map<string, string>());
  const wanted = crops.map(({ name }) => name).join();
  useEffect(() => {
    const { current } = made;
    return () => {
      for (const url of current.values()) URL.revokeObjectURL(url);
      current.clear();
    };
  }, [file]);
  useEffect(() => {
    const missing = crops.filter(({ name }) => !made.current.has(name));
    if (missing.length === 0) return;
    let isWanted = true;
    const cropper = createCropper(file, { width, height });
    const make = async (): Promise<void> => {
      for (const { name, ...crop } of missing) {
        if (!isWanted) return;
        const blob = await cropper.crop(crop);
        if (!isWanted) return;
        made.current.set(name, URL.createObjectURL(blob));
        setUrls(new Map(made.current));
      }
    };
    make()
      .catch(() => undefined) // a list without thumbnails is a list still
      .finally(() => cropper.close());
    return () => {
      isWanted = false;
    };
    // A crop never changes: its name stands for it.
  }, [file, width, height, wanted]);
  return urls;
};

/** An object of a video that was followed. */
export interface Track extends FoundObject {
  readonly seen: SeenSpan;
}

/** Text comes last: one page has more lines than a street has cars, and they would fill the visible part of the list. */
const orderOf = ({ objectClass }: FoundObject): number => (objectClass === 'text' ? 1 : 0);

/** The ones that are seen longest come first: of many, those are the ones that matter. */
export const tracksByLength = (objects: readonly FoundObject[]): readonly Track[] =>
  objects
    .flatMap((object) => (object.seen ? [{ ...object, seen: object.seen }] : []))
    .sort((a, b) => orderOf(a) - orderOf(b) || b.seen.frames - a.seen.frames || a.id - b.id);

/** Frames for sample photos of a track; its best frame if none is large and certain enough. */
export const samplesOf = ({ seen, x, y, width, height }: Track): readonly SelectedFace[] =>
  seen.samples ?? [{ atS: seen.bestS, box: { x1: x, y1: y, x2: x + width, y2: y + height } }];

/** A drawn box and its tracking result, which is missing until the edits are applied. */
export interface DrawnObject {
  readonly key: number;
  readonly atS: number;
  readonly box: Box;
  readonly range: TimeRange | undefined;
  readonly followed: FollowedArea | undefined;
}

export const drawnObjects = ({ areas }: ItemEdits, { video }: MediaResult): readonly DrawnObject[] =>
  areas
    .filter(({ hidden }) => hidden !== false)
    .map((area) => {
      const { key, at = 0 } = area;
      const made = video?.appliedEdits.areas.findIndex((one) => isSameState(one, area));
      const followed = video?.followed.find((one) => one.area === made);
      return { key, atS: at, box: drawnShapeBounds(area), range: timeRangeOf(area), followed };
    });
