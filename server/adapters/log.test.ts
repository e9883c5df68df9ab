import { describe, expect, it } from 'vitest';
import { createLog, type LogOptions } from './log';

const open = (options: Partial<LogOptions>) => {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  return { lines, log: createLog({ logLevel: 'info', logFormat: 'json', ...options }, { write }) };
};

describe('the log', () => {
  it('writes a line of JSON for each event if its output is not a terminal', () => {
    const { lines, log } = open({ logFormat: undefined });
    log.info('Answered.', { status: 200 });
    log.error('Failed.', new Error('why'), { requestId: 'a' });
    const [info, error] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(info).toEqual({ level: 30, time: expect.any(Number) as number, msg: 'Answered.', status: 200 });
    expect(error).toMatchObject({ level: 50, msg: 'Failed.', requestId: 'a', err: { message: 'why' } });
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
  });

  it('writes a sentence for each event in the format pretty', () => {
    const { lines, log } = open({ logFormat: 'pretty' });
    log.info('Answered.', { status: 200 });
    log.error('Failed.', new Error('why'));
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d Answered\. status=200\n$/);
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d error: Failed\.\nError: why\n {4}at /);
  });

  it.each(['\u001b[2J', 'a\nb', '\u202e', '\u009b1m'])('replaces control characters: %j', (filename) => {
    const { lines, log } = open({ logFormat: 'pretty' });
    log.info('Received a file.', { filename });
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d Received a file\. filename=[\x20-\x7e]+\n$/);
    expect(lines[0]).toContain('?');
  });

  const ID = '5d7ba3ec-6d9f-4f0e-8d5c-0a4f4b7f1d11';
  const REQUEST = '7c6f0f0e-0c56-4d1c-9d1b-3f2f7f6a1b22';
  /** Everything in which an id may be. */
  const logAll = (options: Partial<LogOptions>): string => {
    const { lines, log } = open(options);
    const error = Object.assign(new Error(`ENOENT: no such file, open '/data/${ID}/result.json'`), {
      path: `/data/${ID}/result.json`,
      cause: new Error(`Missing key bull:videos:${ID.toUpperCase()}-1`),
    });
    log.info('A webhook delivery has ended.', { task: ID, requestId: REQUEST });
    log.error('A job failed.', error, { job: `${ID}-1`, requestId: REQUEST });
    return lines.join('');
  };

  it.each(['json', 'pretty'] as const)('contains no ids of tasks, and those of requests: %s', (logFormat) => {
    const text = logAll({ logFormat });
    expect(text.toLowerCase()).not.toContain(ID);
    expect(text).toContain("open '/data/<id>/result.json'");
    expect(text.split(REQUEST)).toHaveLength(3);
  });

  it('contains ids of tasks with --log-names', () => {
    const text = logAll({ logNames: true });
    expect(text).toContain(`"task":"${ID}"`);
    expect(text).toContain(`"job":"${ID}-1"`);
    expect(text).toContain(`/data/${ID}/result.json`);
    expect(text).not.toContain('<id>');
  });

  it.each([
    ['info', ['Answered.', 'Failed.']],
    ['error', ['Failed.']],
    ['silent', []],
  ] as const)('writes at level %s: %j', (logLevel, messages) => {
    const { lines, log } = open({ logLevel });
    log.info('Answered.');
    log.error('Failed.', new Error('why'));
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(messages);
  });
});
