import { vi } from 'vitest';

/** Lets the GPU that Chromium emulates count as one of hardware: the page otherwise prefers WebAssembly. */
export const countEmulatedGpu = (): void => {
  vi.spyOn(GPUAdapterInfo.prototype, 'isFallbackAdapter', 'get').mockReturnValue(false);
};
