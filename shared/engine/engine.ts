import { allModels, chooseModels } from './packs/choose';
import type { Manifest } from '../domain/manifest';
import type { ImageCodec } from '../ports/codec';
import type { Engine } from '../ports/engine';
import type { InferenceRuntime } from '../ports/inference';
import type { ModelFiles } from '../ports/model-files';
import type { System } from '../ports/system';
import type { VideoCodec } from '../ports/video';
import { anonymiseImage, encodeImage, encodeMask } from './anonymise-image';
import { anonymiseVideo } from './anonymise-video';
import { outlineObjects } from './outline-objects';
import { redact } from './redact/redact';
import { renderVideo } from './video/render-video';
import { createSessions } from './inference/sessions';
import { sniffImage } from './formats/sniff';

export interface EnginePorts {
  readonly codec: ImageCodec;
  /** Absent where the host cannot read videos. */
  readonly videoCodec?: VideoCodec;
  readonly runtime: InferenceRuntime;
  readonly modelFiles: ModelFiles;
  readonly manifest: Manifest;
  readonly system: System;
}

/** The pipeline over a host's ports; each host calls this inside its worker. */
export const createEngine = (ports: EnginePorts): Engine => {
  const { codec, videoCodec, runtime, manifest } = ports;
  const sessions = createSessions(ports);
  return {
    load: async (classes, onProgress) => {
      const models = allModels(chooseModels(manifest, classes));
      const totalBytes = models.reduce((total, { bytes }) => total + bytes, 0);
      let loadedBytes = 0;
      for (const model of models) {
        await sessions.get(model, (share) => onProgress((loadedBytes + share * model.bytes) / totalBytes));
        loadedBytes += model.bytes;
      }
      onProgress(1);
      return { backend: runtime.backend };
    },
    anonymiseImage: (job, onProgress, signal) =>
      anonymiseImage(job, { ...ports, sessions }, onProgress, signal),
    ...(videoCodec && {
      anonymiseVideo: (job, files, onProgress, signal) =>
        anonymiseVideo(job, files, { ...ports, sessions, videoCodec }, onProgress, signal),
      renderVideo: (job, files, onProgress, signal) =>
        renderVideo(job, files, { ...ports, videoCodec }, onProgress, signal),
    }),
    outlineObjects: (...args) => outlineObjects(args, { ...ports, sessions }),
    renderImage: async (bytes, plan, encoding, limits, keepsMetadata = false) => {
      const source = sniffImage(bytes, limits);
      const raster = await codec.decode(bytes, source);
      redact(raster, plan);
      const metadataOf = keepsMetadata ? { bytes, format: source.format } : undefined;
      return encodeImage(codec, raster, encoding, metadataOf);
    },
    renderMask: (plan, kind, scalePercent) => encodeMask(codec, plan, kind, scalePercent),
  };
};
