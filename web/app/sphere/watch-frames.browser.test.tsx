import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchFrames } from './watch-frames';

let video: HTMLVideoElement;
let stop: () => void;
const onFrame = vi.fn();

beforeEach(() => {
  onFrame.mockClear();
  video = document.createElement('video');
  stop = watchFrames(video, onFrame);
});
afterEach(() => stop());

it('shows the frame that a seek leads to, even if the browser presents no new one', () => {
  video.dispatchEvent(new Event('seeked'));
  expect(onFrame).toHaveBeenCalledOnce();
});

it('shows nothing before the video has a frame, nor after it was stopped', () => {
  expect(onFrame).not.toHaveBeenCalled();
  stop();
  video.dispatchEvent(new Event('seeked'));
  expect(onFrame).not.toHaveBeenCalled();
});
