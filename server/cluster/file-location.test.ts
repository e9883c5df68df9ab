import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { FlagError } from '../cli/flag';
import { parseFileLocation } from './file-location';

const parse = (text: string) => parseFileLocation(text, '--files');

it('a folder becomes an absolute path', () => {
  expect(parse('/srv/veil')).toEqual({ kind: 'folder', path: resolve('/srv/veil') });
  expect(parse('files')).toEqual({ kind: 'folder', path: resolve('files') });
});

it.each([
  ['s3://bucket', { bucket: 'bucket', prefix: '' }],
  ['s3://bucket/', { bucket: 'bucket', prefix: '' }],
  ['s3://my.bucket-1/a/b', { bucket: 'my.bucket-1', prefix: 'a/b/' }],
  ['s3://bucket/a/?region=eu-central-1', { bucket: 'bucket', prefix: 'a/', region: 'eu-central-1' }],
  [
    's3://bucket?endpoint=https://s3.example.org:9000',
    { bucket: 'bucket', prefix: '', endpoint: 'https://s3.example.org:9000/' },
  ],
  [
    's3://bucket?endpoint=http://127.0.0.1:9000',
    { bucket: 'bucket', prefix: '', endpoint: 'http://127.0.0.1:9000/' },
  ],
  [
    's3://bucket?endpoint=http://[::1]:9000',
    { bucket: 'bucket', prefix: '', endpoint: 'http://[::1]:9000/' },
  ],
  [
    's3://bucket?endpoint=http%3A%2F%2Fminio%3A9000&insecure=1',
    { bucket: 'bucket', prefix: '', endpoint: 'http://minio:9000/' },
  ],
])('%s is a location on S3', (text, expected) => {
  expect(parse(text)).toEqual({ kind: 's3', endpoint: undefined, region: undefined, ...expected });
});

it.each([
  ['', 'must be a folder or s3://'],
  ['  ', 'must be a folder or s3://'],
  ['https://bucket.s3.amazonaws.com', 'not another URL'],
  ['file:///srv/veil', 'not another URL'],
  ['s3:bucket', 'must name a bucket'],
  ['s3://', 'must name a bucket'],
  ['s3://Bucket', 'must name a bucket'],
  ['s3://b', 'must name a bucket'],
  ['s3://bucket:80', 'must name a bucket'],
  ['s3://bucket#a', 'must name a bucket'],
  ['s3://bucket/.hidden', 'The prefix of --files'],
  ['s3://bucket/a%20b', 'The prefix of --files'],
  ['s3://bucket?acl=public', 'the parameters endpoint, region and insecure only'],
  ['s3://bucket?region=a&region=b', 'the parameter region twice'],
  ['s3://bucket?region=', 'The region of --files'],
  ['s3://bucket?endpoint=s3.example.org', 'must be the URL of a service'],
  ['s3://bucket?endpoint=ftp://s3.example.org', 'must be the URL of a service'],
  ['s3://bucket?endpoint=http://minio:9000', 'must use https'],
  ['s3://bucket?endpoint=http://minio:9000&insecure=0', 'insecure in --files must be 1'],
  ['s3://bucket?endpoint=http://127.0.0.1.example.org', 'must use https'],
])('%j is refused in one sentence', (text, words) => {
  let error: unknown;
  try {
    parse(text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(FlagError);
  const { message } = error as FlagError;
  expect(message).toContain(words);
  expect(message).toContain('--files');
  expect(message.split(/[.] /)).toHaveLength(1);
});

it.each([
  's3://key:hunter2@bucket/a',
  's3://hunter2@bucket',
  's3://bucket?endpoint=https://key:hunter2@s3.example.org',
  's3://bucket?secret=hunter2',
  's3://bucket#hunter2',
])('%j is refused without a repetition of its credentials', (text) => {
  expect(() => parse(text)).toThrow(FlagError);
  expect(() => parse(text)).not.toThrow(/hunter2/);
});
