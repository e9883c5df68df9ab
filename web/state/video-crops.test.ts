import { expect, it } from 'vitest';
import { squareAround } from './video-crops';

const FRAME = { width: 960, height: 540 };
/** A video that is displayed at twice the size of the frames. */
const VIDEO = { videoWidth: 1920, videoHeight: 1080 };

it('the thumbnail of a face or plate shows all of it with a margin', () => {
  expect(squareAround({ x1: 100, y1: 100, x2: 140, y2: 150 }, VIDEO, FRAME)).toEqual([165, 175, 150, 150]);
  expect(squareAround({ x1: 100, y1: 100, x2: 200, y2: 125 }, VIDEO, FRAME)).toEqual([150, 75, 300, 300]);
});

it('the thumbnail of a long line of text shows its middle, large enough to be recognised', () => {
  expect(squareAround({ x1: 100, y1: 100, x2: 500, y2: 120 }, VIDEO, FRAME)).toEqual([480, 100, 240, 240]);
});
