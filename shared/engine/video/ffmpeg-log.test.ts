import { describe, expect, it } from 'vitest';
import { createFfmpegLog } from './ffmpeg-log';

const heard = (...lines: readonly string[]) => {
  const log = createFfmpegLog();
  log.add(lines.map((line) => `${line}\n`).join(''));
  return log;
};
const DECODE_ERROR = '[error] Error while decoding stream #0:0: Invalid data found when processing input';
const DECODE_ERROR_OF_AUDIO = DECODE_ERROR.replace('#0:0', '#0:1');

describe('the log of ffmpeg', () => {
  it('gives the bytes of the video without those of the audio', () => {
    const log = heard(
      '[verbose] Input file #0 (file:a.avi):',
      '[verbose]   Input stream #0:0 (video): 75 packets read (235566 bytes); 75 frames decoded; ',
      '[verbose]   Input stream #0:1 (audio): 131 packets read (268288 bytes); 131 frames decoded (134144 samples); ',
      '[verbose]   Input stream #0:2 (video): 0 packets read (0 bytes); 0 frames decoded; ',
    );
    expect(log.facts().videoBytes).toBe(235_566);
    expect([log.facts().isDamaged, log.facts().undecodedFrames]).toEqual([false, 0]);
    expect(heard().facts().videoBytes).toBeUndefined();
  });

  it('counts undecodable frames of the video only, in old and new versions', () => {
    const packets = '[verbose]   Input stream #0:0 (video): 75 packets read (9 bytes); 73 frames decoded; ';
    expect(heard(DECODE_ERROR, DECODE_ERROR_OF_AUDIO, DECODE_ERROR, packets).facts().undecodedFrames).toBe(2);
    expect(heard(`${packets}2 decode errors; `).facts().undecodedFrames).toBe(2);
    expect(heard(DECODE_ERROR_OF_AUDIO, packets).facts().undecodedFrames).toBe(0);
  });

  it('gives the size of the frames without the padding of odd sides', () => {
    expect(
      heard('[Parsed_pad_0 @ 0x1] [verbose] w:321 h:241 -> w:322 h:242 x:0 y:0 color:0x0').facts().size,
    ).toEqual({
      width: 321,
      height: 241,
    });
    expect(heard('[info]     title : w:1 h:1 -> w:2 h:2 ').facts().size).toBeUndefined();
  });

  it.each([
    [['tv bt709 bt709 bt709', 'pc bt709 bt709 bt709'], true],
    [['tv bt2020nc bt2020 arib-std-b67', 'tv bt2020nc bt2020 smpte2084'], true],
    [['unknown unknown unknown unknown', 'tv smpte170m bt709 bt709'], true],
    [['unknown unknown unknown unknown', 'tv bt709 bt709 bt2020-10'], false],
    [['tv bt470bg smpte170m smpte170m', 'tv smpte170m smpte240m bt709'], false],
  ] as const)('says whether frames change their colours: %j', (frames, changes) => {
    const lines = frames.map((colours) => {
      const [range, matrix, primaries, transfer] = colours.split(' ');
      const named = `color_range:${range} color_space:${matrix} color_primaries:${primaries}`;
      return `[Parsed_showinfo_0 @ 0x1] [info] ${named} color_trc:${transfer}`;
    });
    expect(heard(...lines).changesColours()).toBe(changes);
    expect(heard(lines[0]!, '[info]     title : color_range:tv').changesColours()).toBe(false);
  });

  it('does not count the second field of a frame as lost', () => {
    const fields = '[verbose]   Input stream #0:0 (video): 150 packets read (9 bytes); 75 frames decoded; ';
    expect(heard(fields).facts().undecodedFrames).toBe(0);
    expect(heard(DECODE_ERROR, fields).facts().undecodedFrames).toBe(1);
  });

  it.each([
    [DECODE_ERROR, true],
    ['[mpegts @ 0x55d] [warning] Packet corrupt (stream = 0, dts = 288000).', true],
    ['[warning] Guessed Channel Layout for Input Stream #0.1 : mono', false],
    ['[info]     title           : corrupt', false],
  ])('reports whether the file is damaged: %s', (line, isDamaged) => {
    expect(heard(line).facts().isDamaged).toBe(isDamaged);
  });

  it('gives the progress if the file states its duration', () => {
    const log = heard('[info]   Duration: 00:01:40.00, start: 1.456778, bitrate: 166 kb/s');
    expect(log.share()).toBe(0);
    log.add('frame=3\nout_time_us=2500');
    log.add('0000\nprogress=continue\n');
    expect(log.share()).toBe(0.25);
    log.add('out_time_us=-9223372036854775807\nout_time_us=900000000\n');
    expect(log.share()).toBe(1);
    expect(heard('[info]   Duration: N/A, start: 0.000000', 'out_time_us=5').share()).toBe(0);
  });

  it('names the audio tracks of unknown codecs', () => {
    const log = heard(
      '[info]   Stream #0:1[0x2](und): Audio: aac (LC) (mp4a / 0x6134706D), 48000 Hz, mono, fltp, 48 kb/s',
      '[info]   Stream #0:2[0x3](eng): Audio: none (apac / 0x63617061), 48000 Hz, 5 channels, 9 kb/s',
      '[info]   Stream #0:3: Audio: none, 48000 Hz',
      '[info]   Stream #0:4: Audio: none (\x1b[2J / 0x4a325b1b), 48000 Hz',
      '[info]     title : Stream #0:5: Audio: none (eh / 0x1)',
    );
    expect(log.facts().unreadableAudio).toEqual(['apac', 'unknown', '[2J']);
    expect(heard().facts().unreadableAudio).toEqual([]);
  });

  it('keeps only the end of long error texts', () => {
    const log = heard('[info] harmless', '[error] first', ...Array<string>(1000).fill('[error] again'));
    log.add('x'.repeat(1_000_000));
    expect(log.errorText()).toMatch(/again$/);
    expect(log.errorText().length).toBeLessThanOrEqual(2000);
    expect(heard('[info] harmless', '[error] bad').errorText()).toBe('bad');
  });
});
