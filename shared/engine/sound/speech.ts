/** A part of a sound, in seconds. */
export interface SoundPart {
  readonly start: number;
  readonly end: number;
}

/** Finds the parts of a sound in which somebody may speak, while it is decoded. */
export interface SpeechMeter {
  /** @param levels the next samples of one channel, −1..1 */
  add(levels: Float32Array): void;
  /** The parts so far, in order. */
  parts(): readonly SoundPart[];
}

/** A short stretch of sound, in which a voice does not change. */
const FRAME_SECONDS = 0.02;
/** Frames that are judged together: some syllables. */
const WINDOW_FRAMES = 50;
const STEP_FRAMES = 10;
/** Root of the mean square below which nobody is heard (−50 dBFS). */
const MIN_LEVEL = 0.003;
/** Frames below this share of the mean level are pauses, of which speech has many; noise and held tones have none. */
const PAUSE_LEVEL = 0.5;
const MIN_PAUSES = 0.14;
/** Vowels cross zero rarely and consonants often; tones and noise do always alike, and noise very often. */
const MIN_CROSSING_SPREAD = 0.035;
const MAX_CROSSINGS = 0.4;

interface Frame {
  readonly level: number;
  /** Share of the samples before which the sign changes. */
  readonly crossings: number;
}

const measure = (levels: Float32Array): Frame => {
  let [energy, changes, before] = [0, 0, levels[0] ?? 0];
  for (const level of levels) {
    energy += level * level;
    if (level >= 0 !== before >= 0) changes++;
    before = level;
  }
  return { level: Math.sqrt(energy / levels.length), crossings: changes / levels.length };
};

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const isSpeech = (frames: readonly Frame[]): boolean => {
  const level = mean(frames.map((frame) => frame.level));
  if (level < MIN_LEVEL) return false;
  const all = frames.map(({ crossings }) => crossings);
  const middle = mean(all);
  const spread = Math.sqrt(mean(all.map((crossings) => (crossings - middle) ** 2)));
  const loud = frames.filter((frame) => frame.level >= level * PAUSE_LEVEL);
  return (
    1 - loud.length / frames.length >= MIN_PAUSES &&
    spread >= MIN_CROSSING_SPREAD &&
    mean(loud.map(({ crossings }) => crossings)) <= MAX_CROSSINGS
  );
};

/**
 * Starts to measure. A person looks at the parts: they are a hint where to listen, and nothing is muted because of them.
 *
 * @param startS when the first sample is heard, in seconds
 * @see Saunders, Real-time discrimination of broadcast speech/music, ICASSP 1996
 */
export const createSpeechMeter = (sampleRate: number, startS = 0): SpeechMeter => {
  const held = new Float32Array(Math.round(FRAME_SECONDS * sampleRate));
  const frames: Frame[] = [];
  const found: { start: number; end: number }[] = [];
  let [filled, passed] = [0, 0];
  const decideFrames = (): void => {
    const start = startS + passed * FRAME_SECONDS;
    const end = start + WINDOW_FRAMES * FRAME_SECONDS;
    const last = found.at(-1);
    if (isSpeech(frames)) {
      if (last && last.end >= start) last.end = end;
      else found.push({ start, end });
    }
    frames.splice(0, STEP_FRAMES);
    passed += STEP_FRAMES;
  };
  return {
    add: (levels) => {
      for (let from = 0; from < levels.length;) {
        const part = levels.subarray(from, from + held.length - filled);
        held.set(part, filled);
        from += part.length;
        filled += part.length;
        if (filled < held.length) break;
        filled = 0;
        frames.push(measure(held));
        if (frames.length === WINDOW_FRAMES) decideFrames();
      }
    },
    parts: () => found,
  };
};
