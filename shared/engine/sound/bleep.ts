const FREQUENCY_HZ = 1000;
/** Of a sine: −20 dBFS, where 0 dBFS is the loudest sine (AES17). */
const AMPLITUDE = 0.1;
/** Rise and fall, long enough that neither is heard as a click. */
const FADE_SECONDS = 0.005;

/**
 * The tone that is heard instead of a removed sound: a sine that begins and ends at a level of 0.
 *
 * @param seconds since it began @param duration in seconds
 * @returns −1..1; 0 before and after the tone
 */
export const bleepAt = (seconds: number, duration: number): number => {
  const distance = Math.min(seconds, duration - seconds);
  if (distance <= 0) return 0;
  const fade = Math.min(FADE_SECONDS, duration / 2);
  const gain = distance < fade ? (1 - Math.cos((Math.PI * distance) / fade)) / 2 : 1;
  return AMPLITUDE * gain * Math.sin(2 * Math.PI * FREQUENCY_HZ * seconds);
};
