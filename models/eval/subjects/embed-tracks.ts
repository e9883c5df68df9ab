import { videoOptions } from '#shared/catalogue/derive-parameters';
import type { Box } from '#shared/domain/boxes';
import type { Detection } from '#shared/domain/detection';
import { LIMITS } from '#shared/domain/limits';
import { defaultImageOptions } from '#shared/domain/options';
import type { Embedding } from '#shared/domain/subject';
import { isDetected, type FrameReport } from '#shared/domain/plan';
import { isComparable } from '#shared/engine/subjects/compare-faces';
import type { ComparedFrame } from '#shared/engine/match-tracks';
import { COMPARE_EVERY_US } from '#shared/engine/subjects/subject-limits';
import type { EngineMethods } from '#shared/ports/engine';
import type { ByteSource } from '#shared/ports/video';
import { videoCodec } from '../../../server/adapters/video-backend';
import type { Embed } from './known-faces';

/** A face of a track in a frame. */
export interface EmbeddedFrame extends Omit<ComparedFrame, 'similarity'> {
  readonly index: number;
  readonly box: Box;
  readonly embedding: Embedding;
}
/** Faces that the product would compare, by the number of their track. */
export type EmbeddedTracks = ReadonlyMap<number, readonly EmbeddedFrame[]>;

const detect = async (engine: EngineMethods, source: ByteSource): Promise<readonly FrameReport[]> => {
  const frames: FrameReport[] = [];
  await engine.anonymiseVideo(
    {
      options: defaultImageOptions({ method: 'detect', classes: ['face'] }),
      ...videoOptions(),
      framesPerReport: 100,
      limits: LIMITS,
    },
    {
      source,
      target: { write: async () => undefined },
      report: async (some) => void frames.push(...some),
    },
    () => undefined,
    new AbortController().signal,
  );
  return frames;
};

/** Tracks the faces of a clip, and computes their embeddings as the product does. */
export const embedTracks = async (
  engine: EngineMethods,
  source: ByteSource,
  embed: Embed,
): Promise<EmbeddedTracks> => {
  const reports = new Map((await detect(engine, source)).map((report) => [report.index, report]));
  const tracks = new Map<number, EmbeddedFrame[]>();
  const reader = await videoCodec.open(source, LIMITS);
  for await (const { index, timestampUs, durationUs, raster } of reader.frames(
    new AbortController().signal,
  )) {
    for (const { trackId, ...detection } of reports.get(index)?.detections.filter(isDetected) ?? []) {
      if (trackId === undefined || !isComparable(detection satisfies Detection)) continue;
      const known = tracks.get(trackId) ?? [];
      const last = known.at(-1);
      if (last && timestampUs - last.timestampUs < COMPARE_EVERY_US / 2) continue;
      const embedding = await embed(raster, detection.box);
      if (!embedding) continue;
      known.push({ index, box: detection.box, timestampUs, durationUs, embedding });
      tracks.set(trackId, known);
    }
  }
  reader.close();
  return tracks;
};
