import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../domain/limits';
import { audioTreatments, ffmpegArguments, type Conversion } from './ffmpeg-arguments';
import { VIDEO_FORMATS } from '../../catalogue/formats';

const CONVERSION: Conversion = {
  format: 'avi',
  inputPath: '/in/-i http:.avi',
  output: 'pipe:1',
  audio: 'copy',
  padsSides: false,
  isHdr: false,
  keepsTimes: false,
  limits: { ...LIMITS, maxVideoFrames: 99, maxVideoPixels: 1000 },
  version: [5, 1],
};
const after = (args: readonly string[], name: string): string | undefined => args[args.indexOf(name) + 1];
const input = (args: readonly string[]): readonly string[] => args.slice(0, args.indexOf('-i') + 2);

describe('the arguments of ffmpeg', () => {
  it.each(VIDEO_FORMATS)('prevent a %s file from opening other files', (format) => {
    const before = input(ffmpegArguments({ ...CONVERSION, format }));
    expect(after(before, '-protocol_whitelist')).toBe('file');
    expect(after(before, '-f')).toBe(after(before, '-format_whitelist'));
    expect(after(before, '-f')).not.toMatch(/hls|concat|dash|sdp|image2|lavfi|tee/);
    expect(after(before, '-i')).toBe('file:/in/-i http:.avi');
    expect(before.includes('-enable_drefs')).toBe(['mp4', 'mov'].includes(format));
  });

  it('keep 10 bits of high dynamic range, and only of that', () => {
    expect(after(ffmpegArguments(CONVERSION), '-pix_fmt')).toBe('yuv420p');
    expect(after(ffmpegArguments({ ...CONVERSION, isHdr: true }), '-pix_fmt')).toBe('yuv420p10le');
  });

  it('log the colours of each frame as it is decoded', () => {
    for (const padsSides of [false, true]) {
      const args = ffmpegArguments({ ...CONVERSION, padsSides });
      expect(after(args, '-vf')).toMatch(/^showinfo=checksum=0(,|$)/);
      expect(args.filter((arg) => arg === '-vf')).toHaveLength(1);
    }
  });

  it('limit the pixels of a frame, and request one frame above the limit', () => {
    const args = ffmpegArguments(CONVERSION);
    expect(after(input(args), '-max_pixels')).toBe('1000');
    expect(after(args, '-frames:v')).toBe('100');
  });

  it.each([
    [[4, 4], '-vsync', '-1'],
    [[5, 0], '-vsync', '-1'],
    [[5, 1], '-fps_mode', '-1'],
    [[7, 1], '-fps_mode', 'demux'],
  ] as const)('keep each frame’s time with version %j', (version, option, timeBase) => {
    const args = ffmpegArguments({ ...CONVERSION, version });
    expect(after(args, option)).toBe('passthrough');
    expect(after(args, '-enc_time_base')).toBe(timeBase);
  });

  it('keep the times of a source that starts late, and of no other', () => {
    expect(input(ffmpegArguments({ ...CONVERSION, keepsTimes: true }))).toContain('-copyts');
    expect(ffmpegArguments(CONVERSION)).not.toContain('-copyts');
  });

  it('leave out audio of unknown codecs', () => {
    expect(ffmpegArguments(CONVERSION)).toContain('0:a:u?');
  });

  it('copy audio if possible', () => {
    expect(audioTreatments('avi')).toEqual(['copy', 'encode']);
    expect(audioTreatments('mpegts')).toEqual(['copy-adts', 'copy', 'encode']);
    expect(after(ffmpegArguments(CONVERSION), '-c:a')).toBe('copy');
    expect(after(ffmpegArguments({ ...CONVERSION, audio: 'encode' }), '-c:a')).toBe('aac');
  });
});
