import type { Manifest } from '../catalogue/manifest';
import type { ImageCodec } from '../ports/codec';
import type { Engine } from '../ports/engine';
import type { InferenceRuntime } from '../ports/inference';
import type { ModelFiles } from '../ports/model-files';
import type { System } from '../ports/system';

export interface EnginePorts {
  readonly codec: ImageCodec;
  readonly runtime: InferenceRuntime;
  readonly modelFiles: ModelFiles;
  readonly manifest: Manifest;
  readonly system: System;
}

/** The pipeline over a host's ports; each host calls this inside its worker. */
export const createEngine = (_ports: EnginePorts): Engine => {
  throw new Error('being written');
};
