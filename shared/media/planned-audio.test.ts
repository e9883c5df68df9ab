import type { AudioCodec } from 'mediabunny';
import { describe, expect, it } from 'vitest';
import { audioCodecName } from './planned-audio';

const nameOf = (codec: AudioCodec | null, id: string | number | Uint8Array | null): Promise<string> =>
  audioCodecName({ getCodec: async () => codec, getInternalCodecId: async () => id });

describe('the codec of an audio track', () => {
  it("has the demuxer's name if it knows the codec, or else the id in the container", async () => {
    expect(await nameOf('ac3', 'A_AC3/BSID9')).toBe('ac3');
    expect(await nameOf(null, 'A_TTA1')).toBe('A_TTA1');
  });

  it('contains only printable ASCII of the id, and at most 40 characters', async () => {
    expect(await nameOf(null, 'ms\u0000\u0011')).toBe('ms');
    expect(await nameOf(null, '\u001b[31mx\u202e\u009bé\r\n')).toBe('[31mx');
    expect(await nameOf(null, 'x'.repeat(1000))).toBe('x'.repeat(40));
  });

  it.each([null, '', '\u0000\u0001', 7, new Uint8Array([65])])(
    'is unknown if the id is no printable text: %j',
    async (id) => {
      expect(await nameOf(null, id)).toBe('unknown');
    },
  );
});
