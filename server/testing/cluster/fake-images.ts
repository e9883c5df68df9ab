import { concatBytes } from '#shared/testing/image-bytes';
import { RAMP_JPEG } from '#shared/testing/ramp-images';

/** Global variable with the time that the fake engine sleeps for each file, in ms. */
export const FAKE_WORK_MS = 'veilFakeWorkMs';

/** How long the fake engine works on edits of a video with drawn areas. */
export const SLOW_EDIT_MS = 120_000;

const WORK = /work-ms=(\d+)/;

/** An image with a text behind its last byte, so that its bytes differ from those of others. */
export const fakeImage = (text: string, workMs?: number): Uint8Array =>
  concatBytes(RAMP_JPEG, new TextEncoder().encode(workMs === undefined ? text : `${text} work-ms=${workMs}`));

/** How long the fake engine sleeps for an image in ms; undefined: as long as for each. */
export const workMsOf = (bytes: Uint8Array): number | undefined => {
  const [, workMs] = WORK.exec(new TextDecoder('latin1').decode(bytes.subarray(RAMP_JPEG.length))) ?? [];
  return workMs === undefined ? undefined : Number(workMs);
};
