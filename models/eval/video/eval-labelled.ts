import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImageOptions } from '#shared/domain/options';
import { createFollower } from '#shared/engine/track/follow';
import { followFrames, type SearchFrame } from '#shared/engine/follow-frames';
import type { VideoFrame, VideoReader } from '#shared/ports/video';
import { isLabelledFile, readLabels, type LabelledClip } from './labelled-clip';
import { encodeTwin, type Twin } from './hdr-twins';
import { labelTable } from './label-table';
import { openClip } from './memory-clip';
import type { Searches } from './real-clips';
import { createScore, scoreLabelledFrame, type ClipScore } from './score-labels';

type VideoSearch = Pick<Searches, 'inVideo' | 'plan'> & { readonly options: ImageOptions };

/** The labelled frames. Frames before them are decoded only, so that tracks begin as at the start of a clip. */
async function* labelledFrames(reader: VideoReader, { from, to }: LabelledClip): AsyncGenerator<VideoFrame> {
  for await (const frame of reader.frames(new AbortController().signal)) {
    if (frame.index > to) return;
    if (frame.index >= from) yield frame;
  }
}

const scoreClip = async (
  clip: LabelledClip,
  bytes: Uint8Array,
  { inVideo, plan, options }: VideoSearch,
): Promise<ClipScore> => {
  const reader = await openClip(bytes);
  const follower = createFollower({ noObjectTracking: false, options }, reader);
  const search: SearchFrame = ({ raster }, scope) => inVideo(raster, scope);
  const score = createScore(clip);
  for await (const settled of followFrames(labelledFrames(reader, clip), plan, follower, search)) {
    for (const { frame, detections } of settled) {
      scoreLabelledFrame(score, { clip, frame: frame.index }, detections, options);
    }
  }
  reader.close();
  return score;
};

/**
 * Compares what the product hides in real clips with labels made by hand (`labelled-clips.json`).
 *
 * @param folder of the clips
 * @param twin encodes the labelled frames anew before, to compare what is hidden in another range
 * @throws {Error} if a file differs from the one that was labelled
 */
export const evalLabelledClips = async (folder: string, search: VideoSearch, twin?: Twin): Promise<void> => {
  for (const clip of readLabels()) {
    const path = join(folder, clip.file);
    if (!existsSync(path)) {
      console.log(`${clip.file}: not in ${folder}.`);
      continue;
    }
    const bytes = new Uint8Array(await readFile(path));
    if (!isLabelledFile(clip, bytes)) throw new Error(`${clip.file} is not the file that was labelled`);
    const start = performance.now();
    const shown = twin ? await encodeTwin(path, twin, clip.to + 1) : bytes;
    const score = await scoreClip(clip, shown, search);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(`${clip.file}, frames ${clip.from} to ${clip.to}, in ${seconds} s\n`);
    console.log([...labelTable(score), ''].join('\n'));
  }
};
