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
