import type { MetadataKind } from '../../../domain/image-header';
import { readAacConfig } from './aac-config';
import { rebuildFlacConfig } from './flac-config';
import { rebuildOpusConfig } from './opus-config';
import { kindOfRest, type RebuiltConfig } from './rebuilt-config';
import { rebuildVorbisConfig } from './vorbis-config';

type Rebuild = (config: Uint8Array) => RebuiltConfig | undefined;

/** Codecs with a configuration, by the demuxer's names, and whether their tracks need one. */
const CODECS: Readonly<Record<string, readonly [rebuild: Rebuild, isNeeded: boolean]>> = {
  aac: [readAacConfig, false], // without one, each packet has a header
  flac: [rebuildFlacConfig, true],
  opus: [rebuildOpusConfig, false],
  vorbis: [rebuildVorbisConfig, true],
};

/** What the configuration of an audio track becomes in a result. */
export interface KeptConfig {
  /** Undefined where the track needs none. */
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  /** Kinds of data that are left out. */
  readonly removed: readonly MetadataKind[];
}

/**
 * Rebuilds the configuration of an audio track from the fields that its decoder needs.
 *
 * Containers hand it on as it is, and most codecs have room in it for comments, pictures and data of any kind. Other
 * codecs than those above (MP3, AC-3, PCM) are described by their packets or by the container, and need none.
 *
 * @param codec the demuxer's name
 * @param config undefined where the track has none
 * @returns undefined where it cannot be rebuilt, so that the packets cannot be copied
 */
export const rebuildCodecConfig = (codec: string, config: Uint8Array | undefined): KeptConfig | undefined => {
  const [rebuild, isNeeded] = CODECS[codec] ?? [undefined, false];
  if (config && rebuild) return rebuild(config);
  return isNeeded ? undefined : { bytes: undefined, removed: config ? kindOfRest(config) : [] };
};
