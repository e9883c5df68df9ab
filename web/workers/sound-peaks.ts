import { ALL_FORMATS, AudioSampleSink, BlobSource, Input, type InputAudioTrack } from 'mediabunny';
import { createSpeechMeter, type SoundPart, type SpeechMeter } from '#shared/engine/sound/speech';

/** The sound of a video, as far as it can be drawn. */
export interface SoundPeaks {
  /** Absent if the file could not be read. */
  readonly hasSound?: boolean;
  /** Loudest levels of equally long parts, 0..1, up to `durationS`; empty if the sound cannot be decoded here. */
  readonly peaks: Float32Array;
  readonly durationS: number;
  /** Where somebody may speak, in order. */
  readonly speech: readonly SoundPart[];
}

/** Parts of the whole duration: more than a screen has pixels to show, also where it is zoomed. */
const PARTS = 6000;
/** Shares of the duration after which what is read is shown. */
const SHOWN_SHARE = 0.02;
const UNKNOWN: SoundPeaks = { peaks: new Float32Array(0), durationS: 0, speech: [] };

const readTrack = async (
  track: InputAudioTrack,
  onPart: (sound: SoundPeaks) => void,
): Promise<SoundPeaks> => {
  const durationS = await track.computeDuration();
  if (!(durationS > 0) || !(await track.canDecode())) return { ...UNKNOWN, hasSound: true };
  const peaks = new Float32Array(PARTS);
  let levels = new Float32Array(0);
  let meter: SpeechMeter | undefined;
  let shownS = 0;
  const sound = (): SoundPeaks => ({ hasSound: true, peaks, durationS, speech: meter?.parts() ?? [] });
  for await (const sample of new AudioSampleSink(track).samples()) {
    using part = sample;
    const { numberOfFrames, sampleRate, timestamp } = part;
    if (levels.length < numberOfFrames) levels = new Float32Array(numberOfFrames);
    part.copyTo(levels.subarray(0, numberOfFrames), { planeIndex: 0, format: 'f32-planar' });
    meter ??= createSpeechMeter(sampleRate, timestamp);
    meter.add(levels.subarray(0, numberOfFrames));
    for (let i = 0; i < numberOfFrames; i++) {
      const at = Math.floor(((timestamp + i / sampleRate) / durationS) * PARTS);
      const level = Math.abs(levels[i] ?? 0);
      if (at >= 0 && level > (peaks[at] ?? 1)) peaks[at] = level;
    }
    if (timestamp < shownS + SHOWN_SHARE * durationS) continue;
    shownS = timestamp;
    onPart({ ...sound(), peaks: peaks.slice() });
  }
  return sound();
};

/** Reads the first channel of the first audio track. Damaged sound is drawn as silence. */
export const readPeaks = async (file: Blob, onPart: (sound: SoundPeaks) => void): Promise<SoundPeaks> => {
  const input = new Input({ formats: ALL_FORMATS, source: new BlobSource(file) });
  try {
    const track = await input.getPrimaryAudioTrack();
    if (!track) return { ...UNKNOWN, hasSound: false };
    return await readTrack(track, onPart).catch(() => ({ ...UNKNOWN, hasSound: true }));
  } catch {
    return UNKNOWN;
  } finally {
    input.dispose();
  }
};
