import { describe, expect, it } from 'vitest';
import { pinBase } from './pin-base';

const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

describe('the Dockerfile of a release', () => {
  it('names the base image of each stage by its digest', () => {
    expect(pinBase('# FROM here\nFROM node:24 AS build\nRUN true\nFROM node:24\n', DIGEST)).toBe(
      `# FROM here\nFROM node:24@${DIGEST} AS build\nRUN true\nFROM node:24@${DIGEST}\n`,
    );
  });

  it.each(['', 'latest', DIGEST.slice(0, -1), `${DIGEST}\nRUN false`])('is refused for %j', (text) => {
    expect(() => pinBase('FROM node:24\n', text)).toThrow('is no digest');
  });
});
