import { describe, expect, it } from 'vitest';
import type { MediaFile } from './media-file';
import { createTerminalReport } from './terminal-report';

const file = (path: string, kind: MediaFile['kind'] = 'image'): MediaFile =>
  ({ path, kind, sizeBytes: 1000 }) as MediaFile;
const VIDEO = {
  objects: {},
  uncertain: { count: 0, listed: [] },
  seconds: 1,
  video: {
    frames: 90,
    lostFrames: 1,
    isLossUncertain: true,
    padding: [0, 0] as const,
    reencodedAudioTracks: 1,
    droppedAudioTracks: 2,
    droppedAudioCodecs: ['ac3', 'x\x1b[2J'],
  },
};
const IMAGE = { objects: {}, uncertain: { count: 1, listed: [] }, seconds: 1 };
const NOTHING = { done: 0, failed: 0, skipped: 0, left: 0, open: 0 };

/** The output of a run of two images, one of which fails, and a video. */
const report = (columns: number | undefined) => {
  const written = { out: '', err: '' };
  let seconds = 0;
  const terminal = createTerminalReport({
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    columns: () => columns,
    nowS: () => (seconds += 1),
    workers: 1,
    namesUncertain: true,
  });
  terminal.planned({
    files: [file('in/a.jpg'), file('in/\x1b[31mb.jpg'), file('in/c.mp4', 'video')],
    notTaken: [
      { kind: 'failed', path: 'in/x.gif', reason: 'No.' },
      { kind: 'left', path: 'in/notes.txt', reason: 'It is not an image.' },
    ],
    done: [],
  });
  terminal.started(file('in/a.jpg'));
  terminal.done(file('in/a.jpg'), { ...IMAGE, projectionWarning: 'The source says it.' });
  terminal.failed('in/\x1b[31mb.jpg', 'It is damaged.');
  terminal.started(file('in/c.mp4', 'video'));
  terminal.progressed(file('in/c.mp4', 'video'), { framesDone: 45, framesTotal: 90 });
  terminal.done(file('in/c.mp4', 'video'), VIDEO);
  terminal.ended({ done: 2, failed: 2, skipped: 4, left: 1, open: 0, uncertain: 1 }, 12, undefined);
  return written;
};

describe('the report of a run', () => {
  it('contains only failures, losses and the sum if the output is not a terminal', () => {
    expect(report(undefined)).toEqual({
      err: [
        'in/x.gif: No.',
        'in/a.jpg: The source says it.',
        'in/a.jpg: 1 of its objects is uncertain: check its result.',
        'in/?[31mb.jpg: It is damaged.',
        'in/c.mp4: 1 of its frames could not be decoded and is left out.',
        'in/c.mp4: The file is damaged, and the number of its missing frames is not known exactly.',
        'in/c.mp4: 1 of its audio tracks cannot be stored in MP4 and is encoded again.',
        'in/c.mp4: 2 of its audio tracks (ac3, x?[2J) can be neither copied nor encoded again and are left out.',
        '',
      ].join('\n'),
      out: '2 files done, 4 already done, 2 failed, 1 with uncertain objects, 1 other file ignored (0:12).\n',
    });
  });

  it('draws a progress line at a terminal, and removes it at the end', () => {
    const lines = report(80).err.split('\r\x1b[2K');
    expect(lines.at(-1)).toBe('');
    expect(lines.filter((line) => line.startsWith('['))).toEqual([
      expect.stringContaining('0 of 3'),
      expect.stringContaining('1 of 3'),
      expect.stringContaining('2 of 3'),
      expect.stringMatching(/2 of 3, frame 45 of 90, .* frames\/s, .* left/),
      expect.stringContaining('3 of 3'),
    ]);
    expect(lines).toContain('in/?[31mb.jpg: It is damaged.\n');
  });

  it('contains the reason why a run ended early', () => {
    const written: string[] = [];
    const say = (text: string): void => void written.push(text);
    const terminal = createTerminalReport({
      out: say,
      err: say,
      columns: () => undefined,
      nowS: () => 0,
      workers: 1,
    });
    terminal.ended({ ...NOTHING, done: 1, open: 2 }, 3, 'The disk is full.');
    expect(written).toEqual(['The disk is full.\n', '1 file done, 2 not done (0:03).\n']);
  });
});
