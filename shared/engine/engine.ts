import { allModels, chooseModels } from './packs/choose';
import type { Manifest } from '../domain/manifest';
import type { BagCodec } from '../ports/bag';
import type { ImageCodec } from '../ports/codec';
import type { EngineMethods, ImageRenderJob, MediaFiles, VideoSurvey } from '../ports/engine';
import type { InferenceRuntime, ModelFiles } from '../ports/inference';
import type { BasicSystem } from '../ports/system';
import type { VideoCodec, VideoLimits } from '../ports/video';
import { defaultImageOptions, readsText } from '../domain/options';
import { anonymiseImage, encodeMask, redactAndEncode, type ImagePorts } from './anonymise-image';
import { createSessions } from './inference/sessions';
import { createPyramid } from './pixels/pyramid';
import { segmentAround } from './masks/segment-around';
import { UnsupportedCoding } from '../domain/failure';
import { openDirectly, retryReads } from './video/video-source';

/** @returns undefined if the video would have to be converted @throws UnreadableFile */
export const surveyVideo = async (
  limits: VideoLimits,
  { source }: Pick<MediaFiles, 'source'>,
  codec: VideoCodec,
  signal: AbortSignal,
): Promise<VideoSurvey | undefined> => {
  signal.throwIfAborted();
  try {
    const reader = await openDirectly(codec, retryReads(source), limits, signal);
    reader.close();
    const { width, height, frameCount, endUs } = reader;
    return { frameCount, pixels: width * height, endUs, width, height };
  } catch (error) {
    if (error instanceof UnsupportedCoding) return undefined;
    throw error;
  }
};

/** Applies a stored plan to the source again, without any detector. @throws UnreadableFile */
const renderImage = async (
  job: ImageRenderJob,
  codec: ImageCodec,
  signal: AbortSignal,
): Promise<Uint8Array> => {
  signal.throwIfAborted();
  const raster = await codec.decode(job.bytes, job.header);
  signal.throwIfAborted();
  return redactAndEncode(codec, raster, job);
};

/**
 * Makes masks of objects in an image that was searched before. Without a mask network for their classes nothing is
 * decoded.
 */
const outlineObjects = async (
  [bytes, objects, header, signal]: Parameters<EngineMethods['outlineObjects']>,
  { codec, manifest, sessions }: ImagePorts,
): ReturnType<EngineMethods['outlineObjects']> => {
  signal.throwIfAborted();
  const classes = objects.map(({ objectClass }) => objectClass);
  const models = chooseModels(manifest, defaultImageOptions({ classes })).maskModels.filter((model) =>
    model.classes.some((objectClass) => classes.includes(objectClass)),
  );
  if (models.length === 0) return objects.map(() => null);
  const raster = await codec.decode(bytes, header);
  signal.throwIfAborted();
  const shapes = await segmentAround(createPyramid(raster), objects, { models, sessions, signal });
  return objects.map((object) => shapes.get(object) ?? null);
};

export interface EnginePorts {
  readonly codec: ImageCodec;
  /** Absent where the host takes no videos. */
  readonly videoCodec?: VideoCodec | undefined;
  /** Absent where the host takes no bags. */
  readonly bagCodec?: Pick<BagCodec, 'open'> | undefined;
  readonly runtime: InferenceRuntime;
  readonly modelFiles: ModelFiles;
  readonly manifest: Manifest;
  readonly system: BasicSystem;
}

/** Creates the engine over a host's ports; each host calls this inside its worker. */
export const createEngine = (ports: EnginePorts): EngineMethods => {
  const { codec, videoCodec, bagCodec, runtime, manifest } = ports;
  const sessions = createSessions(ports);
  const neededCodec = (): VideoCodec => {
    if (!videoCodec) throw new Error('A video was sent to an engine that takes no videos.');
    return videoCodec;
  };
  return {
    load: async (needs, onProgress, signal) => {
      const models = allModels(chooseModels(manifest, needs));
      const totalBytes = models.reduce((total, { bytes }) => total + bytes, 0);
      let loadedBytes = 0;
      for (const model of models) {
        signal.throwIfAborted();
        await sessions.get(model, (share) => onProgress((loadedBytes + share * model.bytes) / totalBytes));
        loadedBytes += model.bytes;
      }
      onProgress(1);
      return { backend: runtime.backend };
    },
    anonymiseImage: (job, onProgress, signal) =>
      anonymiseImage(job, { ...ports, sessions }, onProgress, signal),
    anonymiseVideo: async (...args) => {
      const withCodec = args[0].bag ? undefined : { ...ports, sessions, videoCodec: neededCodec() };
      if (readsText(args[0].options)) (await import('./reading/choose-lines')).requireUnread(args[0].options);
      if (!withCodec) {
        if (!bagCodec) throw new Error('A bag was sent to an engine that takes no bags.');
        const { anonymiseBag } = await import('./anonymise-bag');
        return anonymiseBag(args, { ...ports, sessions, bagCodec });
      }
      // Loaded with the first video: a page that is ready for images does not wait for the tracker.
      const { anonymiseVideo } = await import('./anonymise-video');
      return anonymiseVideo(args, withCodec);
    },
    surveyVideo: async (limits, files, signal) => surveyVideo(limits, files, neededCodec(), signal),
    renderVideo: async (...args) => {
      const withCodec = { ...ports, videoCodec: neededCodec() };
      const { renderVideo } = await import('./video/render-video');
      return renderVideo(args, withCodec);
    },
    outlineObjects: (...args) => outlineObjects(args, { ...ports, sessions }),
    // Loaded with the first subject: few requests have one.
    embedSample: async (...args) => (await import('./match-faces')).embedSample(args, { ...ports, sessions }),
    matchFaces: async (...args) => (await import('./match-faces')).matchFaces(args, { ...ports, sessions }),
    matchTracks: async (...args) => {
      const withCodec = { ...ports, sessions, videoCodec: neededCodec() };
      const { matchTracks } = await import('./match-tracks');
      return matchTracks(args, withCodec);
    },
    renderImage: (job, signal) => renderImage(job, codec, signal),
    renderMask: async (plan, kind, scalePercent, signal) => {
      signal.throwIfAborted();
      return encodeMask(codec, plan, kind, scalePercent);
    },
  };
};
